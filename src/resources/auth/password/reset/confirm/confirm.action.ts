import { procedure } from '../../../../../kit/definition/action.ts'
import * as input from '../../../../../kit/definition/input.ts'
import { everyone } from '../../../../../kit/request/caller.ts'
import { detailSchema, newPasswordFields } from '../../new-password.ts'
import { resetPassword } from './reset-password.ts'

/** Sets a new password with what a mailed link holds: `uid` and `token`. */
export const confirmReset = procedure({
  method: 'POST',
  path: '/api/auth/password/reset/confirm/',
  summary: 'Set a new password by a mailed link',
  access: everyone,
  status: 200,
  body: { ...newPasswordFields, uid: input.text({ required: true }), token: input.secret({ required: true }) },
  answer: detailSchema,
  async handle(request) {
    await resetPassword(request, request.body)
    return { detail: 'Password has been reset with the new password.' }
  },
})
