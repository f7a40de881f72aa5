import { action } from '../../../kit/definition/action.ts'
import type * as input from '../../../kit/definition/input.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { writeShape } from '../../../kit/writing/write.ts'
import { addAddress } from './addresses.ts'
import { emailAddress, emailAddressSchema, wireAddress } from './email-address.resource.ts'

type Body = { email: input.Input<string>; user: input.Input<number> }

/** Decisions 26 and 33. */
export const addEmailAddress = action({
  method: 'POST',
  path: '/api/auth/emails/',
  summary: 'Add a mail address',
  description:
    'Adds an address, neither verified nor primary, and mails the link that verifies it. Whether somebody else has the address makes no difference. An account has at most 50, and adds at most 50 in a day.',
  refuses: { invalid: '`user` is another account, the account has the address already, or it has too many.' },
  example: { body: { email: 'workshop@songbird.example', user: 1 } },
  access: signedIn,
  body: writeShape(emailAddress) as Body,
  answer: emailAddressSchema,
  async run(request) {
    const { caller, body } = request
    // the same text as for an account that does not exist
    if (body.user !== caller.pk && !caller.isSuperuser) throw invalid({ user: [unknownReference(body.user)] })
    return wireAddress(await addAddress(request, body.user, body.email))
  },
})
