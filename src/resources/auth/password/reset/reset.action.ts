import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { invalidObject } from '../../../../kit/request/problem.ts'
import { sendMail } from '../../../../mail/mail.ts'
import { setting } from '../../../settings/live.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { countSignIn } from '../../count-sign-in.ts'
import { detailSchema } from '../new-password.ts'

/**
 * Mails a link that sets a new password to the accounts that have an address. The answer and the work are the same whether or
 * not there is one: they are looked up afterwards (decision 36).
 */
export const askForReset = procedure({
  method: 'POST',
  path: '/api/auth/password/reset/',
  summary: 'Mail a link that sets a new password',
  access: everyone,
  status: 200,
  body: { email: input.email({ required: true }) },
  answer: detailSchema,
  async handle(request) {
    const { body, exchange, database } = request
    await countSignIn(request)
    if (!setting(request, 'LOGIN_ENABLE_PWD_FORGOT')) throw invalidObject('Passwords cannot be reset by mail here.')
    await database.transaction(async (tx) => {
      await recordEvent({ tx, exchange }, { kind: 'password_reset_asked', username: body.email })
      await sendMail({ ...request, tx }, { kind: 'reset', address: body.email })
    })
    return { detail: 'Password reset e-mail has been sent.' }
  },
})
