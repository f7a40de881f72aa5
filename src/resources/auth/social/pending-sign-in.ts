import type { Exchange } from '../../../kit/exchange.ts'
import type { Secrets } from '../../../kit/secrets.ts'
import { sealedCookie } from './sealed-cookie.ts'

const cookie = sealedCookie<number>('pending_sign_in', { seconds: 300 })

/**
 * Remembers in the browser that an account has proved its first factor at a provider and still owes the second. POST
 * /api/auth/login/ with the code alone completes it (decision 37).
 */
export const keepPendingSignIn = (exchange: Exchange, secrets: Secrets, user: number): void =>
  cookie.write(exchange, secrets, user)

/** The account that has still to send the code of its second factor; undefined when there is none, or it took too long. */
export const pendingSignIn = (exchange: Exchange, secrets: Secrets): number | undefined => cookie.read(exchange, secrets)

/** To be called when the sign-in is complete. */
export const forgetPendingSignIn = (exchange: Exchange): void => cookie.clear(exchange)
