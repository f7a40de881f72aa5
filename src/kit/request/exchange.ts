import type { CookieSerializeOptions } from '@fastify/cookie'

/** Where a request comes from, for what is recorded. */
export type Client = Pick<Exchange, 'address' | 'userAgent'>

/** What an operation may know of its HTTP request beside address and body, and may set on the answer beside its text. */
export type Exchange = {
  /** GET, or HEAD where only the headers of the answer are asked for; POST ... */
  readonly method: string
  /** The site that the client asks, as `https://stock.example.com`. */
  readonly site: string
  /** The network address of the client; behind a proxy as TRUST_PROXY lets it be believed. */
  readonly address: string
  readonly userAgent: string
  /** One value of a header of the request. */
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, options?: CookieSerializeOptions): void
  clearCookie(name: string): void
  /** Sets a header of the answer, also of a refusal. */
  setHeader(name: string, value: string): void
}
