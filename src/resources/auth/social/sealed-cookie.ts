import type { Exchange } from '../../../kit/exchange.ts'
import type { Secrets } from '../../../kit/secrets.ts'

/** A cookie that only the service can read and write, and that is void after a time, however long a browser keeps it. */
export type SealedCookie<Value> = {
  /** Undefined when there is none, when it is too old, or when it is not of our making. */
  read(exchange: Exchange, secrets: Secrets): Value | undefined
  write(exchange: Exchange, secrets: Secrets, value: Value): void
  clear(exchange: Exchange): void
}

/** Defines such a cookie. What is sealed under one name cannot be read under another. */
export const sealedCookie = <Value>(name: string, { seconds }: { seconds: number }): SealedCookie<Value> => ({
  read(exchange, secrets) {
    const sealed = exchange.cookie(name)
    const text = sealed && secrets.open(name, Buffer.from(sealed, 'base64url'))
    if (!text) return undefined
    const { value, until } = JSON.parse(text) as { value: Value; until: number }
    return Date.now() < until ? value : undefined
  },
  write(exchange, secrets, value) {
    const text = JSON.stringify({ value, until: Date.now() + seconds * 1000 })
    exchange.setCookie(name, secrets.seal(name, text).toString('base64url'), { maxAge: seconds })
  },
  clear: (exchange) => exchange.clearCookie(name),
})
