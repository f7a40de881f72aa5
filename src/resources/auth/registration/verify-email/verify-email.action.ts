import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { detailSchema } from '../../password/new-password.ts'
import { confirmAddress } from './confirm-address.ts'

/** Verifies an address with the key that was mailed to it. Signs nobody in. */
export const verifyEmail = procedure({
  method: 'POST',
  path: '/api/auth/registration/verify-email/',
  summary: 'Verify an address by the key that was mailed to it',
  access: everyone,
  status: 200,
  body: { key: input.secret({ required: true }) },
  answer: detailSchema,
  async handle(request) {
    await confirmAddress(request, request.body.key)
    return { detail: 'ok' }
  },
})
