import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { makePrimary, ownAddress } from './addresses.ts'
import { emailAddressSchema, wireAddress } from './email-address.resource.ts'

/** Decisions 26 and 33. */
export const makeEmailAddressPrimary = action({
  method: 'POST',
  path: '/api/auth/emails/{id}/primary/',
  summary: 'Make a mail address the primary one',
  description:
    "Makes one of your own addresses the primary one in place of the former. The account's own address (`email` of `/api/user/me/`) follows: at once if this one is verified or the account has none, else when it is verified; a mail to the former one tells of it.",
  refuses: { invalid: 'It is not verified, and the primary address of now is.' },
  example: { params: { id: 2 } },
  access: signedIn,
  status: 200,
  answer: emailAddressSchema,
  async run(request) {
    const { pk } = await ownAddress(request.tx, request.caller.pk, request.pk)
    return wireAddress(await makePrimary(request, pk))
  },
})
