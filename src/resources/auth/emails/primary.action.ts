import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { lockOwnAddress, makePrimary } from './addresses.ts'
import { emailAddressSchema, toWireAddress } from './email-address.resource.ts'

export const makeEmailAddressPrimary = action({
  method: 'POST',
  path: '/api/auth/emails/{id}/primary/',
  summary: 'Make an email address the primary one',
  description:
    "Makes one of the caller's addresses the primary one. The address of the account (`email` of `/api/user/me/`) changes with it: immediately if the new one is verified or the account has none, otherwise when it is verified. The previous address receives a notification.",
  errors: { invalid: 'It is not verified, but the current primary address is.' },
  example: { params: { id: 2 } },
  access: signedIn,
  status: 200,
  response: emailAddressSchema,
  async run(request) {
    const { pk } = await lockOwnAddress(request.tx, request.caller.pk, request.pk)
    return toWireAddress(await makePrimary(request, pk))
  },
})
