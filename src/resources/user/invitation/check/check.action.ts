import { Type } from 'typebox'
import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { requireInvitation } from '../require-invitation.ts'

/** Its body has the token, so that no log of requests has it. */
export const checkInvitation = procedure({
  method: 'POST',
  path: '/api/user/invitation/check/',
  summary: 'Check an invitation',
  description: 'Returns who invited, and the address of the invitation. Changes nothing.',
  errors: {
    invalid: 'The invitation does not exist, was accepted or revoked, or has expired, reported on `token`.',
    throttled: 'Too many wrong tokens.',
  },
  example: { body: { token: 'the-token-of-the-link' }, status: 400 },
  access: everyone,
  status: 200,
  containsSecret: true,
  body: { token: input.secret({ required: true, help: 'The secret at the end of the link.' }) },
  response: Type.Object({
    email: Type.String({ description: 'The address that the account gets; empty if the invited person enters one.' }),
    invited_by: Type.String({ description: 'The name of the account that invited.' }),
    expires: Type.String({ format: 'date-time', description: 'When the link expires.' }),
  }),
  async handle(request) {
    const { email, invited_by, expires } = await requireInvitation(request, request.body.token)
    return { email, invited_by, expires }
  },
})
