import { isIP } from 'node:net'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Statement } from '../../database/text-query.ts'
import type { Exchange } from '../request/exchange.ts'
import { networkOf } from '../request/network.ts'
import { Problem } from '../request/problem.ts'
import type { Database, Tx } from '../sql/tx.ts'

/** So many times in so many seconds. */
export type Rate = { points: number; seconds: number }

/** Milliseconds by which the clock may have moved on between two looks at it; far less than any period. */
const CLOCKS_DIFFER = 5000

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
   * Counts one more under a key (a network address stands for its network), and shows in the headers of the answer how much is
   * left (RateLimit header fields for HTTP).
   * What is refused does not count: a burst locks nobody out for longer than it lasts.
   * @returns what takes it back
   * @throws Problem `throttled` (429) with Retry-After when it is too often
   */
  async count(name: string, rate: Rate, key: string, exchange?: Exchange): Promise<() => Promise<void>> {
    const counted = isIP(key) ? networkOf(key) : key
    const result = await this.#limiter(name, rate)
      .consume(counted)
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
    const ends = Date.now() + result.msBeforeNext
    const giveBack = () => this.#giveBack(`${name}:${counted}`, ends)
    if (result.consumedPoints > rate.points) {
      await giveBack()
      throw new Problem('throttled', undefined, { ...headers, 'retry-after': String(wait) })
    }
    for (const [header, value] of Object.entries(headers)) exchange?.setHeader(header, value)
    return giveBack
  }

  /**
   * Lets something be tried that may fail only so often: `attempt` gives undefined when it failed. It is counted beforehand, and
   * that is taken back unless it failed, so that a thousand tried at once are not more than the measure.
   * @throws Problem `throttled` (429)
   */
  async attempt<T>(name: string, rate: Rate, key: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const giveBack = await this.count(name, rate, key)
    let isFailed = false
    try {
      const result = await attempt()
      isFailed = result === undefined
      return result
    } finally {
      if (!isFailed) await giveBack()
    }
  }

  /**
   * Takes what may be had once in a period each, in a transaction: of all who ask, on whichever node, one gets it, and nobody when
   * the transaction is rolled back.
   * @param wanted seconds of the period, by key
   * @returns the keys of what was had
   */
  async claim(tx: Tx, name: string, wanted: ReadonlyMap<string, number>): Promise<string[]> {
    const claimed = await tx.query<{ key: string }>(
      `insert into throttle (key, points, expire)
       select w.key, 1, clock.now + w.seconds * 1000
       from unnest($1::text[], $2::bigint[]) w (key, seconds),
         (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now) clock
       where not exists (select from throttle t where t.key = w.key and t.expire > clock.now)
       order by w.key
       on conflict (key) do update set points = 1, expire = excluded.expire
       where throttle.expire <= (extract(epoch from clock_timestamp()) * 1000)::bigint
       returning key`,
      [[...wanted.keys()].map((key) => `${name}:${key}`), [...wanted.values()]],
    )
    return claimed.map(({ key }) => key.slice(name.length + 1))
  }

  /** Takes back one of the period that ends then: in the next, which another request may have begun, there is nothing of it. */
  async #giveBack(key: string, ends: number): Promise<void> {
    const text = 'update throttle set points = points - 1 where key = $1 and points > 0 and expire < $2'
    await this.#database.read({ text, name: 'throttle_give_back', values: [key, Math.round(ends + CLOCKS_DIFFER)] })
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
