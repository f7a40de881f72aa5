import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config.ts'
import type { Query } from '../definition/filter.ts'
import type { Caller } from '../request/caller.ts'
import type { Client, Exchange } from '../request/exchange.ts'
import { addressIn } from '../request/network.ts'
import { invalidObject, invalidQuery, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Database } from '../sql/tx.ts'
import { isObject } from '../values/json.ts'
import { valueErrors } from '../values/value-errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address of the service as the world knows it. */
    siteUrl: string
  }
  interface FastifyContextConfig {
    /** A GET that changes something: it is checked like an unsafe method. */
    unsafe?: boolean
    /** Idempotency-Key is honoured. */
    keyed?: boolean
    /** The address as the table of addresses has it: `/api/order/po/{id}/`. */
    path?: string
  }
  interface FastifyRequest {
    /** The account behind the request; undefined for a anonymous. */
    caller: Caller | undefined
    /** For a request that is asked inside another: what it reads instead of the database, such as the transaction of a write. */
    reader: Database | undefined
    /** For a request that its account asks inside another of its own: the site that this one asks. */
    site: string | undefined
  }
}

/** The methods of HTTP that this service knows; an address has some of them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The methods that an address is found under: those, and TRACE, which every address refuses. */
export const ROUTED_METHODS = [...METHODS, 'TRACE']

/** 405, with the methods that there are. */
export const methodNotAllowed = (method?: string, allowed: readonly string[] = METHODS): Problem =>
  new Problem('method_not_allowed', method ? requestErrors.unsupported_method({ method }) : undefined, {
    allow: allowed.join(', '),
  })

/**
 * An address as Fastify has it. `{id}` stands for digits alone, so that nothing else is ever taken for a key: neither an address
 * beside it, nor one that does not exist.
 */
export const fastifyPath = (path: string): string => path.replaceAll('{id}', ':id(^\\d+$)').replaceAll(/\{(\w+)\}/g, ':$1')

/** The most bytes of a body that anyone at all may send: forms of sign-in need no more. */
const STRANGERS_BODY_LIMIT = 65_536

/** The largest body of an operation that is open to strangers. */
export const anonymousBodyLimit = ({ bodyLimit }: Config): number => Math.min(bodyLimit, STRANGERS_BODY_LIMIT)

/** Answers with JSON text. The type carries no charset (decision 25), which Fastify would add to a string. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(Buffer.from(text))
}

/** Marks an answer, a refusal too, as one that neither the browser nor anything on its way may keep. */
export const noStore: onSendHookHandler = (_request, reply, _payload, done) => {
  reply.header('cache-control', 'no-store')
  done()
}

/**
 * The query parameters of a request; of a repeated one the last counts, and all stand under `name[]`, with commas between
 * them. A NUL character is refused.
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
 * The body of a request, which is an object; without one there are no fields.
 * @throws Problem 400 when it is a list, a text, a number or null
 */
export function readBody({ body = {} }: FastifyRequest): Record<string, unknown> {
  if (!isObject(body)) throw invalidObject(valueErrors.object_expected)
  return body
}

/** A primary key in a path, which is digits: a number too large is nobody's key. */
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

/** Links to the pages before and after this one: absolute, every other parameter kept, sorted by name. */
export function pageLinks(
  address: string,
  query: Query,
  limit: number,
  offset: number,
  count: number,
): { next: string | null; previous: string | null } {
  const link = (to: number) => {
    const name = JSON.stringify([address, to, limit, query])
    const known = links.get(name)
    if (known !== undefined) return known
    const made = linkTo(address, query, limit, to)
    links.set(name, made)
    return made
  }
  return { next: offset + limit < count ? link(offset + limit) : null, previous: offset > 0 ? link(offset - limit) : null }
}

/** Links of a page of a walk, which goes on behind the cursor and never back. */
export const walkLinks = (address: string, query: Query, limit: number, cursor: string | undefined) => ({
  next: cursor === undefined ? null : linkTo(address, { ...query, cursor }, limit, 0),
  previous: null,
})

/** Clients read the same pages again and again: working a link out takes a fiftieth of the whole request. */
const links = new LRUCache<string, string>({ max: 2_000 })

function linkTo(address: string, query: Query, limit: number, to: number): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, limit: String(limit), offset: String(to) })) {
    // a repeated parameter stands here twice, and is written as it came
    if (name.endsWith('[]') && name.slice(0, -2) in query)
      for (const one of value.split(',')) parameters.append(name.slice(0, -2), one)
    else if (!(`${name}[]` in query)) parameters.append(name, value)
  }
  if (to <= 0) parameters.delete('offset')
  parameters.sort()
  return `${address}?${parameters}`
}

/**
 * A request names the host that it is for, once; one of HTTP 1.0 need not.
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

/** The cookies of a request by name. They are read when they are first asked for: most requests carry none. */
export function cookiesOf(request: FastifyRequest): Record<string, string | undefined> {
  const text = header(request, 'cookie')
  return text ? request.server.parseCookie(text) : {}
}

/** Where a request comes from. */
export const clientOf = (request: FastifyRequest): Client => ({
  address: addressOf(request),
  userAgent: (header(request, 'user-agent') ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 255),
})

/** The network address of the client. What a trusted proxy passes on and is none counts for nothing: the proxy's own stands. */
function addressOf(request: FastifyRequest): string {
  const address = addressIn(request.ip)
  return isIP(address) ? address : addressIn(request.socket.remoteAddress ?? '')
}

/** What an operation may know and set of HTTP. Cookies are for the whole site, not for scripts, and for our own pages alone. */
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
 * The target of a request as a path. An absolute one names the host itself, whatever the header says (RFC 9112, 3.2.2); what is neither
 * is no address of ours.
 */
export function originForm(request: IncomingMessage): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [, host, path = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? []
  if (host === undefined) return `/${url}`
  request.headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}

/** The site that the client asks, as `https://stock.example.com`. What a proxy says of the scheme counts only if it is one of the two. */
export const siteOf = (request: FastifyRequest): string => request.site ?? `${schemeOf(request)}://${request.host}`

const schemeOf = (request: FastifyRequest): 'http' | 'https' => (request.protocol.toLowerCase() === 'https' ? 'https' : 'http')

/** Whether the client speaks https, perhaps with a proxy in front of us. */
const isSecure = (request: FastifyRequest): boolean =>
  schemeOf(request) === 'https' || request.server.siteUrl.startsWith('https:')
