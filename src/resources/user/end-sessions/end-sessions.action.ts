import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { notFound } from '../../../kit/request/problem.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'
import { endSessions } from '../session/end-sessions.ts'

export const endAccountSessions = action({
  method: 'POST',
  path: '/api/user/{id}/end-sessions/',
  summary: 'End all sessions of an account',
  description:
    "Signs all browsers of an account out immediately; for the caller's own account, the session of the request remains. Tokens remain: revoke them at `/api/user/all-tokens/`.",
  example: { params: { id: 2 }, body: {} },
  access: superuser,
  worksOnFullDisk: true,
  status: 200,
  body: {},
  response: Type.Object({ ended: Type.Integer({ minimum: 0, description: 'The number of ended sessions.' }) }),
  async run(request) {
    const { tx, pk, caller } = request
    if (!(await lockAccount(tx, pk))) throw notFound()
    await requireStillSuperuser(request)
    return { ended: await endSessions(request, pk, { except: caller.session, actor: caller.pk }) }
  },
})
