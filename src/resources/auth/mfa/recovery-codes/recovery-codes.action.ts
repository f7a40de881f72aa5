import { Type } from 'typebox'
import { procedure } from '../../../../kit/definition/action.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../confirm/require-confirmation.ts'
import { codeErrorDocs, runWithSecondFactor, secondFactorFields } from '../try-code.ts'
import { createRecoveryCodes } from './recovery-codes.ts'

export const renewRecoveryCodes = procedure({
  method: 'POST',
  path: '/api/auth/mfa/recovery-codes/',
  summary: 'Create new recovery codes',
  description: 'Returns ten new recovery codes, which are shown only once; the previous codes become invalid.',
  errors: { ...codeErrorDocs, ...confirmationErrorDocs },
  example: { body: { code: '123456' }, status: 400 },
  access: signedIn,
  body: secondFactorFields,
  response: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
  handle: (request) =>
    runWithSecondFactor(request, async (txRequest) => {
      const { tx, caller } = txRequest
      await requireConfirmation(txRequest)
      const recoveryCodes = await createRecoveryCodes(tx, caller.pk)
      await recordEvent(txRequest, { kind: 'recovery_codes_made', user: caller.pk })
      return { recovery_codes: recoveryCodes }
    }),
})
