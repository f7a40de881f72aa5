import type { Services } from '../../kit/services/services.ts'
import type { Rate } from '../../kit/services/throttle.ts'
import { getNetwork } from '../../network.ts'

/** The key of an account; or, without one, the name or address that was tried, so that both are treated alike. */
type Account = number | string

const getRate = ({ config }: Services): Rate => ({ points: config.wrongCredentials, seconds: 300 })

const buildKey = (account: Account, address: string): string =>
  `${typeof account === 'number' ? account : `"${account.slice(0, 300)}`} ${getNetwork(address)}`

/** Rate limit for wrong codes of one account, from all network addresses together. */
const WRONG_CODE_RATE: Rate = { points: 50, seconds: 3600 }

/**
 * Checks a password or a link of an account: `attempt` returns undefined when it was wrong. After too many wrong ones from the same network
 * address further ones are rejected; callers from other addresses are never locked out by it (docs/decisions.md#rate-limits).
 * @throws Problem 429
 */
export const tryCredentials = <T>(
  services: Services,
  account: Account,
  address: string,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> => services.throttle.attempt('wrong', getRate(services), buildKey(account, address), attempt)

/**
 * Checks a code of an account whose first factor was right. Codes are short, so they are also counted per account, across all network
 * addresses. An anonymous caller, without the first factor, cannot lock the account out by that.
 * @throws Problem 429
 */
export const trySecondFactor = <T>(
  services: Services,
  user: number,
  address: string,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> =>
  tryCredentials(services, user, address, () => services.throttle.attempt('wrong_code', WRONG_CODE_RATE, String(user), attempt))
