import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { endSessions } from './end-sessions.ts'

export const endOtherSessions = action({
  method: 'POST',
  path: '/api/user/session/end-others/',
  summary: 'End all other sessions of the caller',
  description:
    'Signs all browsers of the caller out immediately, except that of the request. Tokens remain: revoke them at `/api/user/tokens/`.',
  example: { body: {} },
  access: signedIn,
  right: 'delete',
  worksOnFullDisk: true,
  status: 200,
  body: {},
  response: Type.Object({ ended: Type.Integer({ minimum: 0, description: 'The number of ended sessions.' }) }),
  async run(request) {
    const { caller } = request
    return { ended: await endSessions(request, caller.pk, { except: caller.session }) }
  },
})
