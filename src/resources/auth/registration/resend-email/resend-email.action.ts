import { procedure, Reply } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { sendMail } from '../../../email/mail.ts'
import { countSignIn } from '../../count-sign-in.ts'
import { detailSchema } from '../../password/new-password.ts'

/** The response and the work are the same whether or not there is an address to send to. */
export const resendEmail = procedure({
  method: 'POST',
  path: '/api/auth/registration/resend-email/',
  summary: 'Resend the verification link of an address',
  description:
    'Resends the verification link to an address, for each active account that has it and has not verified it. The response does not reveal whether such an account exists. A request too soon after the previous one is accepted, but sends nothing.',
  throttled: true,
  example: { body: { email: 'lena@songbird.example' } },
  access: everyone,
  body: { email: input.email({ blank: false, help: 'The address; empty for all unverified addresses of the caller.' }) },
  response: detailSchema,
  async handle(request) {
    const { body, caller, database, config } = request
    const email = body.email as string | undefined
    await countSignIn(request)
    await database.transaction(async (tx) => {
      const context = { ...request, tx }
      if (email) return sendMail(context, { kind: 'verify', address: email })
      if (!caller) return
      const ownAddresses = await tx.query<{ email: string }>(
        'select email from email_address where "user" = $1 and not verified order by lower(email)',
        [caller.pk],
      )
      for (const address of ownAddresses) await sendMail(context, { kind: 'verify', user: caller.pk, address: address.email })
    })
    return new Reply(config.wire.resendEmail200 ? 200 : 201, { detail: 'ok' })
  },
})
