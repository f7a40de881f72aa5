import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { detailSchema } from '../../password/new-password.ts'
import { confirmAddress } from './confirm-address.ts'

export const verifyEmail = procedure({
  method: 'POST',
  path: '/api/auth/registration/verify-email/',
  summary: 'Verify an email address with its emailed key',
  description:
    'Verifies an address with the key of the link that was emailed to it, valid once and for three days. It becomes the primary address of an account that has none. If another account has verified it before, nothing changes, and the response is the same. It does not sign in.',
  errors: {
    not_found: 'The key is invalid, already used or expired, or the address was removed or already verified.',
    throttled: 'Too many wrong keys.',
  },
  example: { body: { key: 'the-key-of-the-mailed-link' }, status: 404 },
  access: everyone,
  status: 200,
  body: { key: input.secret({ required: true, help: 'The last segment of the link in the email.' }) },
  response: detailSchema,
  async handle(request) {
    await confirmAddress(request, request.body.key)
    return { detail: 'ok' }
  },
})
