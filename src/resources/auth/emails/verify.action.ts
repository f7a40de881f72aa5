import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { sendMail } from '../../email/mail.ts'
import { lockOwnAddress } from './addresses.ts'
import { emailAddressSchema, toWireAddress } from './email-address.resource.ts'

export const verifyEmailAddress = action({
  method: 'POST',
  path: '/api/auth/emails/{id}/verify/',
  summary: 'Resend the verification link of an email address',
  description:
    "Resends the verification link of one of the caller's addresses, unless it is verified; only following the link verifies it. A request too soon after the previous one is accepted, but sends nothing.",
  example: { params: { id: 2 } },
  access: signedIn,
  status: 200,
  response: emailAddressSchema,
  async run(request) {
    const address = await lockOwnAddress(request.tx, request.caller.pk, request.pk)
    if (!address.verified) await sendMail(request, { kind: 'verify', user: address.user, address: address.email })
    return toWireAddress(address)
  },
})
