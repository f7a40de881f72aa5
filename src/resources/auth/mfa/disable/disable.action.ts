import { procedure, Reply } from '../../../../kit/definition/action.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../confirm/require-confirmation.ts'
import { removeSecondFactor } from '../remove-second-factor.ts'
import { codeErrorDocs, runWithSecondFactor, secondFactorFields } from '../try-code.ts'

/** Existing sessions and tokens stay: they were authenticated with the second factor. */
export const disableSecondFactor = procedure({
  method: 'POST',
  path: '/api/auth/mfa/disable/',
  summary: 'Remove the second factor',
  description:
    'Removes the second factor of the caller and its recovery codes. Sessions and tokens remain. Notifies the owner by email.',
  errors: { ...codeErrorDocs, ...confirmationErrorDocs },
  example: { body: { code: '123456' }, status: 400 },
  access: signedIn,
  status: 204,
  body: secondFactorFields,
  handle: (request) =>
    runWithSecondFactor(request, async (txRequest) => {
      await requireConfirmation(txRequest)
      await removeSecondFactor(txRequest, txRequest.caller.pk)
      await recordEvent(txRequest, { kind: 'second_factor_removed', user: txRequest.caller.pk })
      return new Reply(204)
    }),
})
