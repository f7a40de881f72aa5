import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Statement } from '../database/text-query.ts'
import type { Exchange } from './exchange.ts'
import { Problem } from './problem.ts'
import type { Database } from './tx.ts'

/** So many times in so many seconds. */
export type Rate = { points: number; seconds: number }

/**
 * Counts what may happen only so often, in the database, so that every node counts together. (The table `throttle`; an old
 * count is overwritten, or swept away by `housekeeping.ts`.)
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

  /** Takes back one that was counted under a key. */
  async giveBack(name: string, rate: Rate, key: string): Promise<void> {
    await this.#limiter(name, rate).reward(key)
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
