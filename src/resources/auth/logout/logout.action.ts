import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { type Caller, everyone } from '../../../kit/request/caller.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { forgetAccounts } from '../../user/forget-accounts.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { endSession } from '../sessions.ts'

const answer = Type.Object({ detail: Type.String() })
const DONE = { detail: 'Successfully logged out.' }

/** Decision 29. */
export const logout = action({
  method: 'POST',
  path: '/api/auth/logout/',
  summary: 'Sign out: ends the session and the token of the request',
  description:
    'Ends the session, takes its cookies from the browser, and deletes the token that the request was sent with; others stay. It is a success for a stranger, too.',
  access: everyone,
  needsNoRoom: true,
  status: 200,
  answer,
  async run(request) {
    const { tx, caller } = request
    await leave(request)
    if (caller?.token !== undefined) {
      forgetAccounts(request)
      await tx.query('delete from api_token where pk = $1', [caller.token])
      await recordEvent(request, { kind: 'token_revoked', user: caller.pk, details: { token: caller.token } })
    }
    return DONE
  },
})

export const logoutByLink = action({
  method: 'GET',
  path: '/api/auth/logout/',
  summary: 'Sign out: ends the session',
  description:
    'Ends the session and takes its cookies from the browser; tokens stay. A link on another site does nothing, in a browser that says where it comes from.',
  access: everyone,
  unsafe: true,
  answer,
  async run(request) {
    if (request.exchange.header('sec-fetch-site') === 'cross-site') throw new Problem('cross_site')
    await leave(request)
    return DONE
  },
})

async function leave(request: Services & { tx: Tx; exchange: Exchange; caller: Caller | undefined }): Promise<void> {
  const { caller } = request
  await endSession(request)
  if (caller?.session !== undefined) await recordEvent(request, { kind: 'sign_out', user: caller.pk })
}
