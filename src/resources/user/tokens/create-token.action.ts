import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { createToken } from '../token/live-token.ts'
import { requireTokenAccess } from '../token/require-token-access.ts'

export const createNamedToken = action({
  method: 'POST',
  path: '/api/user/tokens/',
  summary: 'Create a token',
  description:
    'Creates a token of the caller, and returns its key. The key is shown only once: `GET /api/user/token/` never returns it. A token that may only read cannot send requests that change something.',
  errors: {
    ...confirmationErrorDocs,
    invalid:
      'The name is missing, contains HTML or belongs to another valid token; the last day is in the past; or the account already has 100 valid tokens.',
    mfa_required: 'The account has a second factor, and the session of the request was not opened with it.',
  },
  example: { body: { name: 'dashboard', read_only: true } },
  access: signedIn,
  containsSecret: true,
  body: {
    name: input.text({ required: true, max: 100, label: 'Name', help: 'A name that says which program uses the token.' }),
    expiry: input.optional(
      input.date({
        nullable: true,
        label: 'Last day',
        help: 'The last day on which the token is valid, in UTC; empty for unlimited. By default a year from now.',
      }),
    ),
    read_only: input.boolean({ default: false, label: 'Read only', help: 'Whether the token may only read.' }),
  },
  response: Type.Object({
    pk: Type.Integer({ description: 'The primary key.' }),
    name: Type.String({ description: 'The name.' }),
    expiry: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The last day on which it is valid, in UTC; null for unlimited.',
    }),
    read_only: Type.Boolean({ description: 'Whether it may only read.' }),
    token: Type.String({ minLength: 50, maxLength: 100, description: 'The key to send as `Authorization: Token <key>`.' }),
  }),
  async run(request) {
    const { tx, caller, body } = request
    await requireTokenAccess(request)
    await requireConfirmation(request)
    const expired = await tx.first('select where $1::date < current_date', [body.expiry ?? null])
    if (expired) throw invalid({ expiry: [accountErrors.token_expiry_past] })
    const existing = await tx.first(
      `select from api_token where "user" = $1 and name = $2 and not revoked and coalesce(expiry >= current_date, true)`,
      [caller.pk, body.name],
    )
    if (existing) throw invalid({ name: [accountErrors.token_name_taken] })
    return createToken(request, caller.pk, { name: body.name, expiry: body.expiry, readOnly: body.read_only, isShownOnce: true })
  },
})
