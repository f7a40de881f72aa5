import type { Config } from '../../config.ts'
import type { Exchange } from '../../kit/request/exchange.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Rate } from '../../kit/services/throttle.ts'

/** How many log-ins a network address may try (decision 36). */
export const signInRate = ({ signInRate }: Config): Rate => ({ points: signInRate, seconds: 60 })

/**
 * Counts a log-in, or a mail with a link that is asked for, of the client's network address, and shows in the answer what is left.
 * @throws Problem 429 when it is too often
 */
export const countSignIn = ({ throttle, config, exchange }: Pick<Services, 'throttle' | 'config'> & { exchange: Exchange }) =>
  throttle.count('sign_in', signInRate(config), exchange.address, exchange)
