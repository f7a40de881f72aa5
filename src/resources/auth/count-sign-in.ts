import type { Config } from '../../config.ts'
import type { Exchange } from '../../kit/request/exchange.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Rate } from '../../kit/services/throttle.ts'

/** Rate limit for sign-ins per network address (docs/decisions.md#rate-limits). */
export const getSignInRate = ({ signInRate }: Config): Rate => ({ points: signInRate, seconds: 60 })

/**
 * Counts a sign-in, or a request for an emailed link, of the client's network address, and sets the remaining number in the response.
 * @throws Problem 429 when there are too many
 */
export const countSignIn = ({ throttle, config, exchange }: Pick<Services, 'throttle' | 'config'> & { exchange: Exchange }) =>
  throttle.count('sign_in', getSignInRate(config), exchange.address, exchange)
