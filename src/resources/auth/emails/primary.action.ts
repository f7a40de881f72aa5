import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { makePrimary, ownAddress } from './addresses.ts'
import { emailAddressSchema, wireAddress } from './email-address.resource.ts'

/** Decisions 26 and 33. */
export const makeEmailAddressPrimary = action({
  method: 'POST',
  path: '/api/auth/emails/{id}/primary/',
  summary: 'Make an own mail address the primary one',
  access: signedIn,
  status: 200,
  answer: emailAddressSchema,
  async run(request) {
    const { pk } = await ownAddress(request.tx, request.caller.pk, request.pk)
    return wireAddress(await makePrimary(request, pk))
  },
})
