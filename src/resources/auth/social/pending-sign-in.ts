import type { Exchange } from '../../../kit/exchange.ts'
import type { Secrets } from '../../../kit/secrets.ts'

const COOKIE = 'pending_sign_in'
const PURPOSE = 'pending sign-in'

/** Seconds that somebody has to type the code. */
const PATIENCE = 300

/**
 * Keeps in the browser that a provider of single sign-on has let this account in, while the second factor is asked for:
 * `POST /api/auth/login/` with nothing but `code` completes it. The cookie is sealed: nobody can make or read one.
 */
export function keepPendingSignIn(exchange: Exchange, secrets: Secrets, user: number): void {
  const sealed = secrets.seal(PURPOSE, JSON.stringify({ user, until: Date.now() + PATIENCE * 1000 }))
  exchange.setCookie(COOKIE, sealed.toString('base64url'), { maxAge: PATIENCE, path: '/api/auth/login/' })
}

/** The account that waits for its second factor in this browser. */
export function pendingSignIn(exchange: Exchange, secrets: Secrets): number | undefined {
  const text = secrets.open(PURPOSE, Buffer.from(exchange.cookie(COOKIE) ?? '', 'base64url'))
  if (text === undefined) return undefined
  const { user, until } = JSON.parse(text) as { user: number; until: number }
  return until > Date.now() ? user : undefined
}

export const forgetPendingSignIn = (exchange: Exchange): void =>
  exchange.setCookie(COOKIE, '', { maxAge: 0, path: '/api/auth/login/' })
