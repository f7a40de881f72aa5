import { isIP } from 'node:net'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Statement } from '../../database/text-query.ts'
import { getNetwork } from '../../network.ts'
import type { Exchange } from '../request/exchange.ts'
import { Problem } from '../request/problem.ts'
import type { Database, Tx } from '../sql/tx.ts'

/** A number of events per period. */
export type Rate = { points: number; seconds: number }

/** Maximum milliseconds between two readings of the clock; far less than any period. */
const MAX_CLOCK_SKEW_MS = 5000

/**
 * Rate limits, counted in the database for all nodes together. (The table `throttle`; an old count is overwritten, or swept by
 * `housekeeping.ts`.)
 */
export class Throttle {
  readonly #database: Database
  readonly #limiters = new Map<string, RateLimiterPostgres>()

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Increments the count of a key (a network address counts as its network), and shows the remaining number in the headers of the response
   * (RateLimit header fields for HTTP). Rejected requests do not count: a burst locks no one out for longer than it lasts.
   * @returns a function that undoes the increment
   * @throws Problem `throttled` (429) with Retry-After when the limit is exceeded
   */
  async count(name: string, rate: Rate, key: string, exchange?: Exchange): Promise<() => Promise<void>> {
    const countedKey = isIP(key) ? getNetwork(key) : key
    const result = await this.#limiter(name, rate)
      .consume(countedKey)
      .catch((error: unknown) => {
        if (error instanceof RateLimiterRes) return error
        throw error
      })
    const waitSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    const headers = {
      'ratelimit-limit': String(rate.points),
      'ratelimit-remaining': String(Math.max(0, rate.points - result.consumedPoints)),
      'ratelimit-reset': String(waitSeconds),
    }
    const endTime = Date.now() + result.msBeforeNext
    const refund = () => this.#refund(`${name}:${countedKey}`, endTime)
    if (result.consumedPoints > rate.points) {
      await refund()
      throw new Problem('throttled', undefined, { ...headers, 'retry-after': String(waitSeconds) })
    }
    for (const [header, value] of Object.entries(headers)) exchange?.setHeader(header, value)
    return refund
  }

  /**
   * Runs an attempt whose failures are limited: `attempt` returns undefined if it failed. It is counted beforehand, and the count is taken
   * back unless it failed, so that a thousand concurrent attempts do not exceed the limit.
   * @throws Problem `throttled` (429)
   */
  async attempt<T>(name: string, rate: Rate, key: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const refund = await this.count(name, rate, key)
    let isFailed = false
    try {
      const result = await attempt()
      isFailed = result === undefined
      return result
    } finally {
      if (!isFailed) await refund()
    }
  }

  /**
   * Claims keys that are available once per period each, in a transaction: of all callers, on any node, one gets a key, and none if the
   * transaction is rolled back.
   * @param periods seconds of the period, by key
   * @returns the keys that were claimed
   */
  async claim(tx: Tx, name: string, periods: ReadonlyMap<string, number>): Promise<string[]> {
    const claimed = await tx.query<{ key: string }>(
      `insert into throttle (key, points, expire)
       select claim.key, 1, clock.now + claim.seconds * 1000
       from unnest($1::text[], $2::bigint[]) claim (key, seconds),
         (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now) clock
       where not exists (select from throttle t where t.key = claim.key and t.expire > clock.now)
       order by claim.key
       on conflict (key) do update set points = 1, expire = excluded.expire
       where throttle.expire <= (extract(epoch from clock_timestamp()) * 1000)::bigint
       returning key`,
      [[...periods.keys()].map((key) => `${name}:${key}`), [...periods.values()]],
    )
    return claimed.map(({ key }) => key.slice(name.length + 1))
  }

  /** Takes back one count of the period with this end: the next period, which another request may have begun, is not affected. */
  async #refund(key: string, endTime: number): Promise<void> {
    const text = 'update throttle set points = points - 1 where key = $1 and points > 0 and expire < $2'
    await this.#database.read({ text, name: 'throttle_give_back', values: [key, Math.round(endTime + MAX_CLOCK_SKEW_MS)] })
  }

  async #query(statement: Statement) {
    const rows = await this.#database.read(statement)
    return { rows, rowCount: rows.length }
  }

  #limiter(name: string, { points, seconds }: Rate): RateLimiterPostgres {
    const cached = this.#limiters.get(name)
    if (cached) return cached
    const limiter = new RateLimiterPostgres({
      // the part of a pool that the library needs
      storeClient: { query: (statement: Statement) => this.#query(statement) },
      storeType: 'pool',
      tableName: 'throttle',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    })
    this.#limiters.set(name, limiter)
    return limiter
  }
}
