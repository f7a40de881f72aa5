import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { containsHtml } from '../../../kit/values/html.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { ensureLiveToken } from './live-token.ts'
import { requireTokenAccess } from './require-token-access.ts'

/** Returns a token of the caller. Requires the second factor of the account, if it has one. */
const tokenReader = (path: string, summary: string) =>
  action({
    method: 'GET',
    path,
    summary,
    description:
      'Returns the valid token of the caller with this name, and its last day. Creates one that is valid for a year if there is none. Send it as `Authorization: Token <key>`.',
    errors: {
      ...confirmationErrorDocs,
      invalid: 'The name contains HTML, or the account already has 100 valid tokens.',
      mfa_required: 'The account has a second factor, and the session of the request was not opened with it.',
    },
    example: { query: { name: 'scanner' } },
    access: signedIn,
    unsafe: true,
    containsSecret: true,
    query: {
      name: 'The name of the token, truncated to 100 characters, with hyphens for spaces. Use a different name for each program.',
    },
    response: Type.Object({
      token: Type.String({ minLength: 50, maxLength: 100, description: 'The key to send with requests.' }),
      name: Type.String({ description: 'The name of the token as stored.' }),
      expiry: Type.String({ format: 'date', description: 'The last day on which it is valid, in UTC.' }),
    }),
    api530: {
      metadata: {
        name: { label: 'Token Name', read_only: false, max_length: 100 },
        expiry: { label: 'Expiry Date' },
      },
    },
    async run(request) {
      const { caller, query } = request
      const name = normalizeName(query.name ?? '')
      await requireTokenAccess(request)
      await requireConfirmation(request)
      const { token, expiry } = await ensureLiveToken(request, caller.pk, name)
      return { token, name, expiry }
    },
  })

export const readToken = tokenReader('/api/user/token/', 'Get or create a token by name')
/** The same, where clients of API 490 request it. */
export const readOwnToken = tokenReader('/api/user/me/token/', "Get or create a token of the caller's own account by name")

/** Normalizes a name for storage: trimmed, without control characters, blanks as hyphens, at most 100 characters. */
function normalizeName(input: string): string {
  if (containsHtml(input)) throw invalid({ name: [valueErrors.html_not_allowed] })
  return input.trim().replaceAll(/\p{C}/gu, '').replaceAll(/\s/g, '-').slice(0, 100)
}
