import { Type } from 'typebox'
import { procedure } from '../../../../../kit/definition/action.ts'
import * as input from '../../../../../kit/definition/input.ts'
import { signedIn } from '../../../../../kit/request/caller.ts'
import { invalidObject } from '../../../../../kit/request/problem.ts'
import { recordEvent } from '../../../../user/security-event/record-event.ts'
import { accountErrors } from '../../../account-errors.ts'
import { notifyAccount } from '../../../notify-account.ts'
import { endAccess, openSession } from '../../../sessions.ts'
import { createRecoveryCodes } from '../../recovery-codes/recovery-codes.ts'
import { codeErrorDocs, tryCode } from '../../try-code.ts'
import { requiresSecondFactor } from '../../verify-code.ts'
import { consumeCode } from '../totp.ts'

/** Ends all earlier sessions and tokens of the account: they were authenticated without the second factor. */
export const confirmTotp = procedure({
  method: 'POST',
  path: '/api/auth/mfa/totp/confirm/',
  summary: 'Enable the second factor',
  description:
    'Enables the second factor with the first code of the authenticator, and returns ten recovery codes, which are shown only once. Ends all sessions and tokens of the account; the confirming browser gets a new session. Notifies the owner by email.',
  errors: {
    ...codeErrorDocs,
    invalid: 'The code is wrong, no enrollment is in progress, or a second factor is already enabled.',
  },
  example: { body: { code: '123456' }, status: 400 },
  access: signedIn,
  status: 200,
  body: {
    code: input.secret({
      required: true,
      max: 64,
      help: 'The six digits that the authenticator shows. A clock difference of 30 seconds is allowed.',
    }),
  },
  response: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
  handle: (request) =>
    tryCode(request, async (txRequest) => {
      const { tx, caller, body } = txRequest
      if (await requiresSecondFactor(tx, caller.pk)) throw invalidObject(accountErrors.second_factor_exists)
      if (!(await tx.first('select 1 from second_factor where "user" = $1', [caller.pk])))
        throw invalidObject(accountErrors.second_factor_not_begun)
      if (!(await consumeCode(txRequest, caller.pk, body.code, { isConfirmed: false }))) return undefined
      await tx.query('update second_factor set confirmed = now() where "user" = $1', [caller.pk])
      const recoveryCodes = await createRecoveryCodes(tx, caller.pk)
      const session = await tx.first('select 1 from user_session where pk = $1 for no key update', [caller.session ?? null])
      await endAccess(txRequest, caller.pk)
      // under a new id: the second factor was not used to obtain the old one
      if (session) await openSession(txRequest, caller.pk, { secondFactor: true })
      await recordEvent(txRequest, { kind: 'second_factor_enrolled', user: caller.pk })
      await notifyAccount(txRequest, caller.pk, 'second_factor_on')
      return { recovery_codes: recoveryCodes }
    }),
})
