import { randomBytes } from 'node:crypto'
import type { Caller } from '../../kit/request/caller.ts'
import type { Exchange } from '../../kit/request/exchange.ts'
import { Problem } from '../../kit/request/problem.ts'
import { hashToken, randomToken } from '../../kit/services/secrets.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { invalidateAccounts } from '../user/invalidate-accounts.ts'
import { recordEvent } from '../user/security-event/record-event.ts'

/** The session cookie. Existing clients know it by this name. */
export const SESSION_COOKIE = 'sessionid'

/** For clients that expect it: scripts of our own pages can read it, and nothing depends on it. */
const CSRF_COOKIE = 'csrftoken'

/** Maximum browsers signed in as one account. */
const MAX_SESSIONS = 50

type Context = Services & { tx: Tx; exchange: Exchange }

/**
 * Signs a browser in: creates a session with a new id, so that a planted one is worthless, and sets the cookies. The browser's previous
 * session ends, and so do the oldest ones if the account has too many.
 */
export async function openSession(
  context: Context,
  user: number,
  { secondFactor }: { secondFactor: boolean },
): Promise<{ pk: number }> {
  const { tx, exchange, config } = context
  const previousId = exchange.cookie(SESSION_COOKIE)
  const replaced = previousId
    ? await tx.query('delete from user_session where id_hash = $1 returning pk', [hashToken(previousId)])
    : []
  await tx.query('delete from user_session where "user" = $1 and expires < now()', [user])
  const id = randomToken()
  const opened = await tx.first<{ pk: number }>(
    `insert into user_session ("user", id_hash, expires, address, user_agent, second_factor)
     values ($1, $2, now() + make_interval(days => $3), $4, $5, $6) returning pk`,
    [user, hashToken(id), config.sessionDays, exchange.address, exchange.userAgent, secondFactor],
  )
  const oldest = await endOldest({ tx, exchange }, user)
  if (replaced.length + oldest.length > 0) invalidateAccounts(context)
  const maxAge = config.sessionDays * 86_400
  exchange.setCookie(SESSION_COOKIE, id, { maxAge })
  exchange.setCookie(CSRF_COOKIE, randomBytes(24).toString('base64url'), { maxAge, httpOnly: false })
  return opened as { pk: number }
}

async function endOldest({ tx, exchange }: Pick<Context, 'tx' | 'exchange'>, user: number): Promise<unknown[]> {
  const ended = await tx.query<{ address: string }>(
    `delete from user_session where pk in (select pk from user_session where "user" = $1 order by pk desc offset $2)
     returning address`,
    [user, MAX_SESSIONS],
  )
  for (const { address } of ended)
    await recordEvent({ tx, exchange }, { kind: 'session_ended', user, details: { address, reason: 'too many' } })
  return ended
}

/** Signs a browser out. */
export async function endSession(context: Pick<Services, 'accounts'> & { tx: Tx; exchange: Exchange }): Promise<void> {
  const { tx, exchange } = context
  const id = exchange.cookie(SESSION_COOKIE)
  if (!id) return
  // an anonymous caller with a made-up cookie does not invalidate the cache
  if (await tx.first('delete from user_session where id_hash = $1 returning pk', [hashToken(id)])) invalidateAccounts(context)
  exchange.clearCookie(SESSION_COOKIE)
  exchange.clearCookie(CSRF_COOKIE)
}

/** Ends every session and token of an account, and the links that were emailed to it, except for those of the request itself. */
export async function endAccess(
  context: Pick<Services, 'accounts'> & { tx: Tx },
  user: number,
  keep: { session?: number; token?: number } = {},
): Promise<void> {
  const { tx } = context
  invalidateAccounts(context)
  await tx.query('delete from user_session where "user" = $1 and pk is distinct from $2', [user, keep.session ?? null])
  await tx.query('update api_token set revoked = true where "user" = $1 and not revoked and pk is distinct from $2', [
    user,
    keep.token ?? null,
  ])
  await tx.query('delete from account_link where "user" = $1 and kind <> $2 and used is null', [user, 'verify'])
}

/**
 * Verifies that the credentials of a request are still valid. Call it before creating further access, with the account locked: while the
 * request waited for the lock, `endAccess` may have ended its session or token.
 * @throws Problem 401
 */
export async function requireValidAccess(tx: Tx, { pk, session, token, passwordDigest }: Caller): Promise<void> {
  const validAccess = await tx.first(
    `select 1 from user_account u where u.pk = $1 and u.is_active and (
       exists (select from user_session s where s.pk = $2 and s."user" = u.pk and s.expires > now())
       or exists (select from api_token t where t.pk = $3 and t."user" = u.pk and not t.revoked
         and coalesce(t.expiry >= current_date, true))
       or encode(sha256(convert_to(u.password, 'UTF8')), 'hex') = $4)`,
    [pk, session, token, passwordDigest],
  )
  if (!validAccess) throw new Problem('authentication_failed')
}
