import type { Services } from '../../kit/services.ts'
import type { Rate } from '../../kit/throttle.ts'

/** An account's key; or, where there is none, the name or address that was tried, so that both are treated alike. */
type Account = number | string

const rate = ({ config }: Services): Rate => ({ points: config.wrongCredentials, seconds: 300 })

const keyOf = (account: Account, address: string): string =>
  `${typeof account === 'number' ? account : `"${account.slice(0, 300)}`} ${address}`

/**
 * Tries a code or password of an account: `attempt` gives undefined when it was wrong. It is counted beforehand, and that is
 * taken back unless it was wrong, so that a thousand tried at once are not more than the measure. After too many wrong ones
 * from the same network address it is refused (decision 36); others, who come from elsewhere, are never locked out by it.
 * @throws Problem 429
 */
export async function tryCredentials<T>(
  services: Services,
  account: Account,
  address: string,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const key = keyOf(account, address)
  const giveBack = await services.throttle.count('wrong', rate(services), key)
  let isWrong = false
  try {
    const result = await attempt()
    isWrong = result === undefined
    return result
  } finally {
    if (!isWrong) await giveBack()
  }
}
