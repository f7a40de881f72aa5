import type { Exchange } from '../../../kit/request/exchange.ts'
import { Problem } from '../../../kit/request/problem.ts'
import { randomToken, type Secrets } from '../../../kit/services/secrets.ts'
import type { Rate, Throttle } from '../../../kit/services/throttle.ts'

/** A cookie that only the service can read and write, and that expires after a time, however long a browser keeps it. */
export type SealedCookie<Value> = {
  /** Returns undefined when there is no cookie, when it is too old, or when this service did not write it. */
  read(exchange: Exchange, secrets: Secrets): SealedValue<Value> | undefined
  write(exchange: Exchange, secrets: Secrets, value: Value): void
  clear(exchange: Exchange): void
  /**
   * Marks the cookie as used, once for all nodes, since it can be copied.
   * @returns a function that undoes this, to allow another try after a failure; undefined when it was used before
   */
  markUsed(throttle: Throttle, id: string): Promise<(() => Promise<void>) | undefined>
}

/** The value of such a cookie, and an id that it shares only with its copies. */
export type SealedValue<Value> = { id: string; value: Value }

/** Defines such a cookie. A value sealed under one name cannot be read under another. */
export function createSealedCookie<Value>(name: string, { seconds }: { seconds: number }): SealedCookie<Value> {
  const onceRate: Rate = { points: 1, seconds }
  return {
    read(exchange, secrets) {
      const sealed = exchange.cookie(name)
      const text = sealed && secrets.open(name, Buffer.from(sealed, 'base64url'))
      if (!text) return undefined
      const { id, value, until } = JSON.parse(text) as SealedValue<Value> & { until: number }
      return Date.now() < until ? { id, value } : undefined
    },
    write(exchange, secrets, value) {
      const text = JSON.stringify({ id: randomToken(), value, until: Date.now() + seconds * 1000 })
      exchange.setCookie(name, secrets.seal(name, text).toString('base64url'), { maxAge: seconds })
    },
    clear: (exchange) => exchange.clearCookie(name),
    async markUsed(throttle, id) {
      try {
        return await throttle.count(name, onceRate, id)
      } catch (error) {
        if (error instanceof Problem && error.code === 'throttled') return undefined
        throw error
      }
    },
  }
}
