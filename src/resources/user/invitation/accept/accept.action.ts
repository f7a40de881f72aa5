import { Type } from 'typebox'
import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { PASSWORD_HELP } from '../../../auth/password/new-password.ts'
import { createUsernameInput, USERNAME_HELP } from '../../../auth/registration/username-rules.ts'
import { acceptInvitation } from './accept-invitation.ts'

export const acceptInvitationAction = procedure({
  method: 'POST',
  path: '/api/user/invitation/accept/',
  summary: 'Accept an invitation',
  description:
    'Creates an account with the groups and permissions of the invitation, which ends. Sign in with the username and the password afterwards. An address that the link was emailed to is verified; another one receives a verification link.',
  errors: {
    invalid:
      'The invitation does not exist, was accepted or revoked, or has expired, reported on `token`; or a field breaks a rule, or the name is already in use.',
  },
  throttled: true,
  example: {
    body: {
      token: 'the-token-of-the-link',
      username: 'ada',
      password1: 'seven blue horses',
      password2: 'seven blue horses',
    },
    status: 400,
  },
  access: everyone,
  status: 201,
  containsSecret: true,
  body: {
    token: input.secret({ required: true, help: 'The secret at the end of the link.' }),
    username: createUsernameInput({ required: true, help: USERNAME_HELP }),
    first_name: input.text({ max: 150, help: 'The first name; may be empty.' }),
    last_name: input.text({ max: 150, help: 'The last name; may be empty.' }),
    email: input.email({
      help: 'The email address, if the invitation has none; it may be empty unless the service requires one.',
    }),
    password1: input.secret({ required: true, help: PASSWORD_HELP }),
    password2: input.secret({ required: true, help: 'The password again.' }),
  },
  response: Type.Object({ username: Type.String({ description: 'The name to sign in with.' }) }),
  async handle(request) {
    const { throttle, config, exchange, body } = request
    await throttle.count('registration', { points: config.registrationRate, seconds: 60 }, exchange.address, exchange)
    const { first_name = '', last_name = '', email = '', ...rest } = body
    await acceptInvitation(request, { ...rest, first_name, last_name, email })
    return { username: body.username }
  },
})
