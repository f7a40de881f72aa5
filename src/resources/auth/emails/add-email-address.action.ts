import { action } from '../../../kit/definition/action.ts'
import type * as input from '../../../kit/definition/input.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { getWriteShape } from '../../../kit/writing/write.ts'
import { addAddress } from './addresses.ts'
import { emailAddress, emailAddressSchema, toWireAddress } from './email-address.resource.ts'

type Body = { email: input.Input<string>; user: input.Input<number> }

/** See docs/decisions.md#email-addresses. */
export const addEmailAddress = action({
  method: 'POST',
  path: '/api/auth/emails/',
  summary: 'Add an email address',
  description:
    'Adds an address, neither verified nor primary, and sends a verification link to it. The response does not reveal whether another account has the address. An account can have at most 50 addresses, and add at most 50 per day.',
  errors: { invalid: '`user` is another account, the account already has the address, or it has too many.' },
  example: { body: { email: 'workshop@songbird.example', user: 1 } },
  access: signedIn,
  body: getWriteShape(emailAddress) as Body,
  response: emailAddressSchema,
  async run(request) {
    const { caller, body } = request
    // the same error as for an account that does not exist
    if (body.user !== caller.pk && !caller.isSuperuser) throw invalid({ user: [unknownReference(body.user)] })
    return toWireAddress(await addAddress(request, body.user, body.email))
  },
})
