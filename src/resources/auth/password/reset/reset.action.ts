import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { invalidObject } from '../../../../kit/request/problem.ts'
import { setting } from '../../../../settings/live.ts'
import { sendMail } from '../../../email/mail.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { accountErrors } from '../../account-errors.ts'
import { countSignIn } from '../../count-sign-in.ts'
import { detailSchema } from '../new-password.ts'

/** The response and the work are the same whether or not there is an account: it is looked up afterwards. */
export const requestReset = procedure({
  method: 'POST',
  path: '/api/auth/password/reset/',
  summary: 'Send a password reset link by email',
  description:
    'Sends a link, valid once and for a day, to each active account that has the address or has verified it. The response does not reveal whether such an account exists. A request too soon after the previous one is accepted, but sends nothing.',
  errors: { invalid: 'The address is invalid, or the setting `LOGIN_ENABLE_PWD_FORGOT` is off.' },
  throttled: true,
  example: { body: { email: 'mira@songbird.example' } },
  access: everyone,
  status: 200,
  body: { email: input.email({ required: true, help: 'The email address of the account.' }) },
  response: detailSchema,
  async handle(request) {
    const { body, exchange, database } = request
    await countSignIn(request)
    if (!setting(request, 'LOGIN_ENABLE_PWD_FORGOT')) throw invalidObject(accountErrors.password_reset_disabled)
    await database.transaction(async (tx) => {
      await recordEvent({ tx, exchange }, { kind: 'password_reset_asked', username: body.email })
      await sendMail({ ...request, tx }, { kind: 'reset', address: body.email })
    })
    return { detail: 'Password reset e-mail has been sent.' }
  },
})
