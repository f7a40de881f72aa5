import type { CookieSerializeOptions } from '@fastify/cookie'

/** The client that a request comes from, for records. */
export type Client = Pick<Exchange, 'address' | 'userAgent'>

/** An HTTP request as an operation sees it, without its URL and body; and the parts of the response that it can set in addition to the body. */
export type Exchange = {
  /** GET, or HEAD if only the headers of the response are requested; POST ... */
  readonly method: string
  /** The site that the client addresses, such as `https://stock.example.com`. */
  readonly site: string
  /** The network address of the client; behind a proxy the forwarded one, if TRUST_PROXY allows it. */
  readonly address: string
  readonly userAgent: string
  /** Aborted, with a Problem as its reason, when the client closes the connection before it has the response. */
  readonly gone: AbortSignal
  /** One value of a header of the request. */
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, options?: CookieSerializeOptions): void
  clearCookie(name: string): void
  /** Sets a header of the response, even if that becomes an error. */
  setHeader(name: string, value: string): void
}
