import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalidateAccounts } from '../invalidate-accounts.ts'
import { recordEvent } from '../security-event/record-event.ts'

export const endOtherSessions = action({
  method: 'POST',
  path: '/api/user/session/end-others/',
  summary: 'End all other sessions of the caller',
  description:
    'Signs all browsers of the caller out at once, except that of the request. Tokens remain: revoke them at `/api/user/tokens/`.',
  example: { body: {} },
  access: signedIn,
  right: 'delete',
  worksOnFullDisk: true,
  status: 200,
  body: {},
  response: Type.Object({ ended: Type.Integer({ minimum: 0, description: 'The number of ended sessions.' }) }),
  async run(request) {
    const { tx, caller } = request
    const ended = await tx.query<{ address: string }>(
      'delete from user_session where "user" = $1 and pk is distinct from $2 returning address',
      [caller.pk, caller.session ?? null],
    )
    if (ended.length > 0) invalidateAccounts(request)
    for (const { address } of ended) await recordEvent(request, { kind: 'session_ended', user: caller.pk, details: { address } })
    return { ended: ended.length }
  },
})
