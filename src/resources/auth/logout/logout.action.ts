import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { type Caller, everyone } from '../../../kit/request/caller.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { invalidateAccounts } from '../../user/invalidate-accounts.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { endSession } from '../sessions.ts'

const responseSchema = Type.Object({ detail: Type.String() })
const LOGGED_OUT = { detail: 'Successfully logged out.' }

/** See docs/decisions.md#signing-out. */
export const logout = action({
  method: 'POST',
  path: '/api/auth/logout/',
  summary: 'Sign out and end the session and the token of the request',
  description:
    'Ends the session, deletes its cookies, and deletes the token of the request; other tokens remain. Also succeeds for anonymous requests.',
  access: everyone,
  worksOnFullDisk: true,
  status: 200,
  response: responseSchema,
  async run(request) {
    const { tx, caller } = request
    await endLogin(request)
    if (caller?.token !== undefined) {
      invalidateAccounts(request)
      await tx.query('delete from api_token where pk = $1', [caller.token])
      await recordEvent(request, { kind: 'token_revoked', user: caller.pk, details: { token: caller.token } })
    }
    return LOGGED_OUT
  },
})

export const logoutByLink = action({
  method: 'GET',
  path: '/api/auth/logout/',
  summary: 'Sign out and end the session',
  description:
    'Ends the session and deletes its cookies; tokens remain. Links on other sites have no effect in browsers that report the origin of a request.',
  access: everyone,
  unsafe: true,
  response: responseSchema,
  async run(request) {
    if (request.exchange.header('sec-fetch-site') === 'cross-site') throw new Problem('cross_site')
    await endLogin(request)
    return LOGGED_OUT
  },
})

async function endLogin(request: Services & { tx: Tx; exchange: Exchange; caller: Caller | undefined }): Promise<void> {
  const { caller } = request
  await endSession(request)
  if (caller?.session !== undefined) await recordEvent(request, { kind: 'sign_out', user: caller.pk })
}
