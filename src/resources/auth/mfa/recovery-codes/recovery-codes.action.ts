import { Type } from 'typebox'
import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { withSecondFactor } from '../try-code.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

/** Gives new recovery codes, this once; the earlier ones are void. */
export const renewRecoveryCodes = procedure({
  method: 'POST',
  path: '/api/auth/mfa/recovery-codes/',
  summary: 'New recovery codes',
  access: signedIn,
  body: { code: input.secret({ required: true, max: 64 }) },
  answer: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
  handle: (request) =>
    withSecondFactor(request, async (within) => {
      const { tx, caller } = within
      const recoveryCodes = await makeRecoveryCodes(tx, caller.pk)
      await recordEvent(within, { kind: 'recovery_codes_made', user: caller.pk })
      return { recovery_codes: recoveryCodes }
    }),
})
