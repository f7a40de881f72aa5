import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Statement } from '../database/text-query.ts'
import type { Exchange } from './exchange.ts'
import { Problem } from './problem.ts'
import type { Database } from './tx.ts'

/** So many times in so many seconds. */
export type Rate = { points: number; seconds: number }

/**
 * Counts what may happen only so often, in the database, so that every node counts together. (The table `throttle`; an old
 * count is overwritten, and swept away now and then.)
 */
export class Throttle {
  readonly #database: Database
  readonly #limiters = new Map<string, RateLimiterPostgres>()

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Counts one more under a key, and shows in the headers of the answer how much is left (RateLimit header fields for HTTP).
   * @throws Problem `throttled` (429) with Retry-After when it is too often
   */
  async count(name: string, rate: Rate, key: string, exchange?: Exchange): Promise<void> {
    const result = await this.#limiter(name, rate)
      .consume(key)
      .catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal
        throw refusal
      })
    const wait = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    const headers = {
      'ratelimit-limit': String(rate.points),
      'ratelimit-remaining': String(Math.max(0, rate.points - result.consumedPoints)),
      'ratelimit-reset': String(wait),
    }
    if (result.consumedPoints > rate.points)
      throw new Problem('throttled', undefined, { ...headers, 'retry-after': String(wait) })
    for (const [header, value] of Object.entries(headers)) exchange?.setHeader(header, value)
  }

  /** Throws as `count` does when the limit under a key is reached already; counts nothing. */
  async check(name: string, rate: Rate, key: string): Promise<void> {
    const known = await this.#limiter(name, rate).get(key)
    if (!known || known.consumedPoints < rate.points) return
    const wait = Math.max(1, Math.ceil(known.msBeforeNext / 1000))
    throw new Problem('throttled', undefined, {
      'ratelimit-limit': String(rate.points),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(wait),
      'retry-after': String(wait),
    })
  }

  /** Takes back one that was counted under a key. */
  async giveBack(name: string, rate: Rate, key: string): Promise<void> {
    await this.#limiter(name, rate).reward(key)
  }

  /** Forgets what was counted under a key. */
  async forget(name: string, rate: Rate, key: string): Promise<void> {
    await this.#limiter(name, rate).delete(key)
  }

  async #query(statement: Statement) {
    const rows = await this.#database.read(statement)
    return { rows, rowCount: rows.length }
  }

  #limiter(name: string, { points, seconds }: Rate): RateLimiterPostgres {
    const known = this.#limiters.get(name)
    if (known) return known
    const made = new RateLimiterPostgres({
      // what the library needs of a pool
      storeClient: { query: (statement: Statement) => this.#query(statement) },
      storeType: 'pool',
      tableName: 'throttle',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    })
    this.#limiters.set(name, made)
    return made
  }
}
