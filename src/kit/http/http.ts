import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config.ts'
import { extractAddress } from '../../network.ts'
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
export const toFastifyPath = (path: string): string => path.replaceAll('{id}', ':id(^\\d+$)').replaceAll(/\{(\w+)\}/g, ':$1')

/** Maximum body size in bytes for anonymous requests: sign-in forms need no more. */
const MAX_ANONYMOUS_BODY_BYTES = 65_536

/** Maximum body size of an operation that is open to anonymous callers. */
export const getAnonymousBodyLimit = ({ bodyLimit }: Config): number => Math.min(bodyLimit, MAX_ANONYMOUS_BODY_BYTES)

/** Sends JSON text. Existing clients expect the type without a charset, which Fastify would add to a string. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(Buffer.from(text))
}

/** Marks a response, including errors, as one that neither the browser nor any proxy may store. */
export const preventStorage: onSendHookHandler = (_request, reply, _payload, done) => {
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
    const joinedValues = isRepeated ? value.join(',') : value
    if (joinedValues.includes('\0')) throw invalidQuery({ [name.replaceAll('\0', '')]: [valueErrors.nul_not_allowed] })
    query[name] = isRepeated ? (value.at(-1) ?? '') : value
    if (isRepeated) query[`${name.replace(/\[\]$/, '')}[]`] = joinedValues
  }
  return query
}

/**
 * The body of a request, which is an object; without a body it has no fields.
 * @throws Problem 400 when it is a list, a string, a number or null
 */
export function readBody({ body = {} }: FastifyRequest): Record<string, unknown> {
  if (!isObject(body)) throw invalidObject(valueErrors.object_expected)
  return body
}

/** A primary key in a path, which consists of digits. A number that is too large matches no object. */
export function readPathKey(text: string): number {
  const pk = Number(text)
  if (pk > 2_147_483_647) throw new Problem('not_found')
  return pk
}

/** One value of a header. */
export const readHeader = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Links to the previous and next page: absolute, with every other parameter kept, sorted by name. */
export function buildPageLinks(
  url: string,
  query: Query,
  limit: number,
  offset: number,
  count: number,
): { next: string | null; previous: string | null } {
  const getLink = (targetOffset: number) => {
    const name = JSON.stringify([url, targetOffset, limit, query])
    const cached = linkCache.get(name)
    if (cached !== undefined) return cached
    const pageLink = buildLink(url, query, limit, targetOffset)
    linkCache.set(name, pageLink)
    return pageLink
  }
  return { next: offset + limit < count ? getLink(offset + limit) : null, previous: offset > 0 ? getLink(offset - limit) : null }
}

/** Links of a page in a list that is read by cursor, which has no previous page. */
export const buildCursorLinks = (url: string, query: Query, limit: number, cursor: string | undefined) => ({
  next: cursor === undefined ? null : buildLink(url, { ...query, cursor }, limit, 0),
  previous: null,
})

/** Caches links, as clients read the same pages repeatedly, and computing a link takes a fiftieth of the whole request. */
const linkCache = new LRUCache<string, string>({ max: 2_000 })

function buildLink(url: string, query: Query, limit: number, targetOffset: number): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, limit: String(limit), offset: String(targetOffset) })) {
    // `query` has a repeated parameter twice: under its name, and with all values under `name[]`
    if (name.endsWith('[]') && name.slice(0, -2) in query)
      for (const entry of value.split(',')) parameters.append(name.slice(0, -2), entry)
    else if (!(`${name}[]` in query)) parameters.append(name, value)
  }
  if (targetOffset <= 0) parameters.delete('offset')
  parameters.sort()
  return `${url}?${parameters}`
}

/**
 * Requires exactly one Host header; HTTP 1.0 requests may omit it.
 * @throws Problem 400
 */
export function requireOneHost({ raw: { rawHeaders, httpVersion } }: FastifyRequest): void {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) throw new Problem('malformed_request', requestErrors.several_hosts)
}

/** The cookies of a request by name. They are parsed on first use: most requests have none. */
export function readCookies(request: FastifyRequest): Record<string, string | undefined> {
  const text = readHeader(request, 'cookie')
  return text ? request.server.parseCookie(text) : {}
}

/** The client that a request comes from. */
export const getClient = (request: FastifyRequest): Client => ({
  address: getClientAddress(request),
  userAgent: (readHeader(request, 'user-agent') ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 255),
})

/** The network address of the client. An invalid address forwarded by a trusted proxy is ignored: the proxy's own is used. */
function getClientAddress(request: FastifyRequest): string {
  const address = extractAddress(request.ip)
  return isIP(address) ? address : extractAddress(request.socket.remoteAddress ?? '')
}

/**
 * The HTTP data that an operation may read and set. Cookies apply to the whole site, are hidden from scripts, and are not sent with requests
 * from other sites.
 */
export function createExchange(request: FastifyRequest, reply: FastifyReply): Exchange {
  const cookieDefaults: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }
  let cookies: Record<string, string | undefined> | undefined
  let gone: AbortSignal | undefined
  return {
    method: request.method,
    site: getSite(request),
    ...getClient(request),
    get gone() {
      gone ??= createGoneSignal(reply)
      return gone
    },
    header: (name) => readHeader(request, name),
    cookie(name) {
      cookies ??= readCookies(request)
      return cookies[name]
    },
    setCookie: (name, value, options) => void reply.setCookie(name, value, { ...cookieDefaults, ...options }),
    clearCookie: (name) => void reply.clearCookie(name, { path: '/' }),
    setHeader: (name, value) => void reply.header(name, value),
  }
}

/** A signal that is aborted when the client closes the connection before it has the response. */
function createGoneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!raw.writableEnded) controller.abort(new Problem('unavailable', requestErrors.client_gone))
  }
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return controller.signal
}

/**
 * The target of a request as a path. An absolute URL names the host itself, whatever the header says (RFC 9112, 3.2.2); any other form is
 * not a URL of this service.
 */
export function toOriginForm(request: IncomingMessage): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [, host, path = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? []
  if (host === undefined) return `/${url}`
  request.headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}

/** The site that the client addresses, such as `https://stock.example.com`. The scheme that a proxy forwards counts only if it is http or https. */
export const getSite = (request: FastifyRequest): string => request.site ?? `${getScheme(request)}://${request.host}`

const getScheme = (request: FastifyRequest): 'http' | 'https' => (request.protocol.toLowerCase() === 'https' ? 'https' : 'http')

/** Whether the client uses https, possibly through a proxy. */
const isSecure = (request: FastifyRequest): boolean =>
  getScheme(request) === 'https' || request.server.siteUrl.startsWith('https:')
