import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config.ts'
import { addressIn } from '../../network.ts'
import type { Query } from '../definition/filter.ts'
import type { Caller } from '../request/caller.ts'
import type { Client, Exchange } from '../request/exchange.ts'
import { invalidObject, invalidQuery, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Database } from '../sql/tx.ts'
import { isObject } from '../values/json.ts'
import { valueErrors } from '../values/value-errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The public URL of the service. */
    siteUrl: string
  }
  interface FastifyContextConfig {
    /** A GET that changes something: it is checked like an unsafe method. */
    unsafe?: boolean
    /** Idempotency-Key is supported. */
    keyed?: boolean
    /** The URL as a path template: `/api/order/po/{id}/`. */
    path?: string
  }
  interface FastifyRequest {
    /** The account of the request; undefined if anonymous. */
    caller: Caller | undefined
    /** For a request inside another one: a database to read from instead, such as the transaction of a write. */
    reader: Database | undefined
    /** For a request that an account sends inside another of its own: the site of the outer request. */
    site: string | undefined
  }
}

/** HTTP methods that this service supports; a URL has some of them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Methods that routes are registered for: those, and TRACE, which every URL rejects. */
export const ROUTED_METHODS = [...METHODS, 'TRACE']

/** 405, with the allowed methods. */
export const methodNotAllowed = (method?: string, allowed: readonly string[] = METHODS): Problem =>
  new Problem('method_not_allowed', method ? requestErrors.unsupported_method({ method }) : undefined, {
    allow: allowed.join(', '),
  })

/**
 * A path template in Fastify's form. `{id}` matches only digits, so that nothing else is ever taken for a key: neither a sibling path, nor
 * one that does not exist.
 */
export const fastifyPath = (path: string): string => path.replaceAll('{id}', ':id(^\\d+$)').replaceAll(/\{(\w+)\}/g, ':$1')

/** Maximum body size in bytes for anonymous requests: sign-in forms need no more. */
const MAX_ANONYMOUS_BODY_BYTES = 65_536

/** Maximum body size of an operation that is open to anonymous callers. */
export const anonymousBodyLimit = ({ bodyLimit }: Config): number => Math.min(bodyLimit, MAX_ANONYMOUS_BODY_BYTES)

/** Sends JSON text. The type carries no charset (decision 25), which Fastify would add to a string. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(Buffer.from(text))
}

/** Marks a response, including errors, as one that neither the browser nor any proxy may store. */
export const noStore: onSendHookHandler = (_request, reply, _payload, done) => {
  reply.header('cache-control', 'no-store')
  done()
}

/**
 * The query parameters of a request; the last value of a repeated one counts, and all values are available under `name[]`, comma-separated.
 * A NUL character is rejected.
 */
export function readQuery(request: FastifyRequest): Query {
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>)) {
    const isRepeated = typeof value !== 'string'
    const all = isRepeated ? value.join(',') : value
    if (all.includes('\0')) throw invalidQuery({ [name.replaceAll('\0', '')]: [valueErrors.nul_not_allowed] })
    query[name] = isRepeated ? (value.at(-1) ?? '') : value
    if (isRepeated) query[`${name.replace(/\[\]$/, '')}[]`] = all
  }
  return query
}

/**
 * The body of a request, which is an object; without a body it has no fields.
 * @throws Problem 400 when it is a list, a text, a number or null
 */
export function readBody({ body = {} }: FastifyRequest): Record<string, unknown> {
  if (!isObject(body)) throw invalidObject(valueErrors.object_expected)
  return body
}

/** A primary key in a path, which is digits: a number too large matches no object. */
export function readPathKey(text: string): number {
  const pk = Number(text)
  if (pk > 2_147_483_647) throw new Problem('not_found')
  return pk
}

/** One value of a header. */
export const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Links to the previous and next page: absolute, with every other parameter kept, sorted by name. */
export function pageLinks(
  address: string,
  query: Query,
  limit: number,
  offset: number,
  count: number,
): { next: string | null; previous: string | null } {
  const link = (to: number) => {
    const name = JSON.stringify([address, to, limit, query])
    const cached = links.get(name)
    if (cached !== undefined) return cached
    const pageLink = linkTo(address, query, limit, to)
    links.set(name, pageLink)
    return pageLink
  }
  return { next: offset + limit < count ? link(offset + limit) : null, previous: offset > 0 ? link(offset - limit) : null }
}

/** Links of a page read by cursor, which continues after the cursor and never goes back. */
export const walkLinks = (address: string, query: Query, limit: number, cursor: string | undefined) => ({
  next: cursor === undefined ? null : linkTo(address, { ...query, cursor }, limit, 0),
  previous: null,
})

/** Clients read the same pages repeatedly: computing a link takes a fiftieth of the whole request. */
const links = new LRUCache<string, string>({ max: 2_000 })

function linkTo(address: string, query: Query, limit: number, to: number): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, limit: String(limit), offset: String(to) })) {
    // a repeated parameter is listed twice, and is written as received
    if (name.endsWith('[]') && name.slice(0, -2) in query)
      for (const entry of value.split(',')) parameters.append(name.slice(0, -2), entry)
    else if (!(`${name}[]` in query)) parameters.append(name, value)
  }
  if (to <= 0) parameters.delete('offset')
  parameters.sort()
  return `${address}?${parameters}`
}

/**
 * Requires exactly one Host header; HTTP 1.0 requests may omit it.
 * @throws Problem 400
 */
export function requireOneHost({ raw: { rawHeaders, httpVersion } }: FastifyRequest): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) throw new Problem('malformed_request', requestErrors.several_hosts)
}

/** The cookies of a request by name. They are parsed on first use: most requests have none. */
export function cookiesOf(request: FastifyRequest): Record<string, string | undefined> {
  const text = header(request, 'cookie')
  return text ? request.server.parseCookie(text) : {}
}

/** The client that a request comes from. */
export const clientOf = (request: FastifyRequest): Client => ({
  address: addressOf(request),
  userAgent: (header(request, 'user-agent') ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 255),
})

/** The network address of the client. An invalid address forwarded by a trusted proxy is ignored: the proxy's own is used. */
function addressOf(request: FastifyRequest): string {
  const address = addressIn(request.ip)
  return isIP(address) ? address : addressIn(request.socket.remoteAddress ?? '')
}

/**
 * The HTTP data that an operation may read and set. Cookies apply to the whole site, are hidden from scripts, and are sent by our own pages
 * alone.
 */
export function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
  const own: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }
  let cookies: Record<string, string | undefined> | undefined
  return {
    method: request.method,
    site: siteOf(request),
    ...clientOf(request),
    header: (name) => header(request, name),
    cookie(name) {
      cookies ??= cookiesOf(request)
      return cookies[name]
    },
    setCookie: (name, value, options) => void reply.setCookie(name, value, { ...own, ...options }),
    clearCookie: (name) => void reply.clearCookie(name, { path: '/' }),
    setHeader: (name, value) => void reply.header(name, value),
  }
}

/**
 * The target of a request as a path. An absolute URL names the host itself, whatever the header says (RFC 9112, 3.2.2); any other form is
 * not a URL of this service.
 */
export function originForm(request: IncomingMessage): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [, host, path = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? []
  if (host === undefined) return `/${url}`
  request.headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}

/** The site that the client addresses, such as `https://stock.example.com`. The scheme that a proxy forwards counts only if it is one of the two. */
export const siteOf = (request: FastifyRequest): string => request.site ?? `${schemeOf(request)}://${request.host}`

const schemeOf = (request: FastifyRequest): 'http' | 'https' => (request.protocol.toLowerCase() === 'https' ? 'https' : 'http')

/** Whether the client uses https, possibly through a proxy. */
const isSecure = (request: FastifyRequest): boolean =>
  schemeOf(request) === 'https' || request.server.siteUrl.startsWith('https:')
