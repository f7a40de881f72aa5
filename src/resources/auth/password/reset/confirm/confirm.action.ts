import { procedure } from '../../../../../kit/definition/action.ts'
import * as input from '../../../../../kit/definition/input.ts'
import { everyone } from '../../../../../kit/request/caller.ts'
import { detailSchema, newPasswordFields } from '../../new-password.ts'
import { resetPassword } from './reset-password.ts'

export const confirmReset = procedure({
  method: 'POST',
  path: '/api/auth/password/reset/confirm/',
  summary: 'Reset a password with an emailed link',
  description:
    'Sets the password with the values of an emailed link. Ends all sessions, tokens and emailed links of the account. Notifies the owner by email.',
  errors: {
    invalid: 'The link is invalid, already used or expired, reported on `uid` or `token`; or the password breaks a rule.',
    throttled: 'Too many wrong links.',
  },
  example: {
    body: {
      uid: '2',
      token: 'the-token-of-the-mailed-link',
      new_password1: 'seven blue horses',
      new_password2: 'seven blue horses',
    },
    status: 400,
  },
  access: everyone,
  status: 200,
  body: {
    ...newPasswordFields,
    uid: input.text({ required: true, help: 'The account, from the link.' }),
    token: input.secret({ required: true, help: 'The secret of the link.' }),
  },
  response: detailSchema,
  async handle(request) {
    await resetPassword(request, request.body)
    return { detail: 'Password has been reset with the new password.' }
  },
})
