import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { sendMail } from '../../../mail/mail.ts'
import { ownAddress } from './addresses.ts'
import { emailAddressSchema, wireAddress } from './email-address.resource.ts'

/** Mails the link again; following it is what verifies (decisions 26 and 36). */
export const verifyEmailAddress = action({
  method: 'POST',
  path: '/api/auth/emails/{id}/verify/',
  summary: 'Mail the link again that verifies an own mail address',
  access: signedIn,
  status: 200,
  answer: emailAddressSchema,
  async run(request) {
    const address = await ownAddress(request.tx, request.caller.pk, request.pk)
    if (!address.verified) await sendMail(request, { kind: 'verify', user: address.user, address: address.email })
    return wireAddress(address)
  },
})
