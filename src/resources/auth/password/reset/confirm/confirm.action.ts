import { procedure } from '../../../../../kit/definition/action.ts'
import * as input from '../../../../../kit/definition/input.ts'
import { everyone } from '../../../../../kit/request/caller.ts'
import { detailSchema, newPasswordFields } from '../../new-password.ts'
import { resetPassword } from './reset-password.ts'

export const confirmReset = procedure({
  method: 'POST',
  path: '/api/auth/password/reset/confirm/',
  summary: 'Set a new password by a mailed link',
  description:
    'Sets the password with what a mailed link holds. Every session, token and mailed link of the account ends. A mail tells the owner.',
  refuses: {
    invalid: 'The link is none, was followed or is over, which is told on `uid` or `token`; or the password breaks a rule.',
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
    uid: input.text({ required: true, help: 'The account, as the link names it.' }),
    token: input.secret({ required: true, help: 'The secret of the link.' }),
  },
  answer: detailSchema,
  async handle(request) {
    await resetPassword(request, request.body)
    return { detail: 'Password has been reset with the new password.' }
  },
})
