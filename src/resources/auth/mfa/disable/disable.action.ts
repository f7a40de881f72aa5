import { procedure, Reply } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { removeSecondFactor } from '../remove-second-factor.ts'
import { withSecondFactor } from '../try-code.ts'

/** Removes the second factor and its recovery codes. Sessions and tokens stay: they came in with it. */
export const disableSecondFactor = procedure({
  method: 'POST',
  path: '/api/auth/mfa/disable/',
  summary: 'Remove the second factor',
  access: signedIn,
  status: 204,
  body: { code: input.secret({ required: true, max: 64 }) },
  handle: (request) =>
    withSecondFactor(request, async (within) => {
      await removeSecondFactor(within, within.caller.pk)
      await recordEvent(within, { kind: 'second_factor_removed', user: within.caller.pk })
      return new Reply(204)
    }),
})
