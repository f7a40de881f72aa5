import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { detailSchema } from '../../password/new-password.ts'
import { confirmAddress } from './confirm-address.ts'

export const verifyEmail = procedure({
  method: 'POST',
  path: '/api/auth/registration/verify-email/',
  summary: 'Verify an address by the key that was mailed to it',
  description:
    'Verifies an address with the key of the link that was mailed to it, good once and for three days. It becomes the primary one of an account that has none. Where another account has verified it before, nothing changes, and the answer is the same. It signs nobody in.',
  refuses: {
    not_found: 'The key is none, was used or is over, or the address is gone or verified already.',
    throttled: 'Too many wrong keys.',
  },
  example: { body: { key: 'the-key-of-the-mailed-link' }, status: 404 },
  access: everyone,
  status: 200,
  body: { key: input.secret({ required: true, help: 'The last part of the link in the mail.' }) },
  answer: detailSchema,
  async handle(request) {
    await confirmAddress(request, request.body.key)
    return { detail: 'ok' }
  },
})
