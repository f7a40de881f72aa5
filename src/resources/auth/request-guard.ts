import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf, cookiesOf, header, siteOf } from '../../kit/http/http.ts'
import type { Caller } from '../../kit/request/caller.ts'
import { createHostCheck } from '../../kit/request/hosts.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Database } from '../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import type { Accounts } from '../user/accounts.ts'
import { SESSION_COOKIE } from './sessions.ts'

const LOGIN = '/api/auth/login/'
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Requests allowed for an account without a second factor where everyone must have one (decision 37), and those that it may only read. */
const ENROLMENT = /^\/api\/(auth\/(mfa|logout|providers|login|social\/[^/]+\/(login|callback))|schema)(\/|$)/
const READ_BEFORE_ENROLMENT = /^\/api\/(user\/me\/)?$/

/**
 * Requests that cannot be made on behalf of an account: signing in, links and tokens that give access, and plugin management and actions;
 * and reading several addresses in one request, each of which is requested as the account itself.
 */
const OWN_ACCOUNT_PATHS = /^\/api\/(auth|email|user\/tokens?|plugins|action|locate|web\/read)\//

/**
 * Whether a page of another site can have a browser send this body without a preflight request. The browser then adds a password that it
 * saved earlier, as it adds a cookie.
 */
const isForm = (request: FastifyRequest): boolean =>
  /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(header(request, 'content-type')?.trim() ?? '')

/** The account that an internal request acts for, and its context, if any. */
type ActingRequest = Inside & { caller: Caller }

/** Context of an internal request. */
type Inside = {
  /** Handle that it reads with, such as the transaction of a write. It must be a GET then, and changes nothing. */
  reader?: Database
  /** Site of a request by the account itself, to this service: it may read everything that the account may read. */
  site?: string
}

/**
 * Checks every request to the API: its host, the site that it comes from, and its account.
 * @throws Problem 400, 401, 403, 429; 503 while all requests wait
 */
export class RequestGuard {
  readonly #services: Services
  readonly #accounts: Accounts
  readonly #isKnownHost: (host: string) => boolean
  readonly #origins: ReadonlySet<string>
  /** Accounts by their single-use authorization, while it is valid. */
  readonly #actingRequests = new Map<string, ActingRequest>()

  constructor(services: Services, accounts: Accounts) {
    const { config } = services
    this.#services = services
    this.#accounts = accounts
    this.#isKnownHost = createHostCheck(config)
    this.#origins = new Set([new URL(config.siteUrl).origin, ...(config.corsOrigins === '*' ? [] : config.corsOrigins)])
  }

  /** Admits a request, with its account if it has one. Nothing is awaited for a cached account, while the cache is valid. */
  enter(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    let maintenance: Promise<void> | undefined
    let settings: Promise<void> | undefined
    let account: Promise<void> | undefined
    try {
      // decision 35: only under the known host names of the service
      if (!this.#isKnownHost(request.host)) throw new Problem('unknown_host')
      // the write that it belongs to has waited already
      const waits = !this.#actingRequestOf(request)?.reader
      maintenance = waits ? this.#services.maintenance.pass() : undefined
      account = this.#identify(request)
      settings = waits ? this.#services.settings.upToDate() : undefined
      if (!maintenance && !account && !settings) this.#requireEnrolment(request)
    } catch (error) {
      done(error as Error)
      return
    }
    if (!maintenance && !account && !settings) {
      done()
      return
    }
    Promise.all([maintenance, account, settings])
      .then(() => this.#requireEnrolment(request))
      .then(() => done(), done)
  }

  /**
   * Admits one internal request on behalf of an account.
   * @param send receives the Authorization header, which is valid once, and only until `send` settles
   */
  async sendAs<T>(caller: Caller, send: (authorization: string) => Promise<T>, inside: Inside = {}): Promise<T> {
    const authorization = `ActingRequest ${randomBytes(32).toString('base64url')}`
    this.#actingRequests.set(authorization, { ...inside, caller })
    try {
      return await send(authorization)
    } finally {
      this.#actingRequests.delete(authorization)
    }
  }

  #actingRequestOf(request: FastifyRequest): ActingRequest | undefined {
    return this.#actingRequests.size === 0 ? undefined : this.#actingRequests.get(header(request, 'authorization')?.trim() ?? '')
  }

  /** Sets the account; returns a promise if it must be looked up. */
  #identify(request: FastifyRequest): Promise<void> | undefined {
    const result = this.#find(request)
    if (!(result instanceof Promise)) {
      request.caller = result
      return undefined
    }
    return result.then((caller) => {
      request.caller = caller
    })
  }

  /** Returns the account of a request: the cached one, or a promise of it. */
  #find(request: FastifyRequest): Caller | Promise<Caller | undefined> | undefined {
    const authorization = header(request, 'authorization')?.trim()
    const atLogin = request.routeOptions.url === LOGIN
    if (!authorization) {
      if (!SAFE.has(request.method) || request.routeOptions.config.unsafe) this.#checkSite(request)
      const session = cookiesOf(request)[SESSION_COOKIE]
      // a sign-in does not depend on the previous account (decision 30)
      return session && !atLogin ? this.#accounts.bySession(session) : undefined
    }
    const actingRequest = this.#actingRequestOf(request)
    if (actingRequest) {
      this.#actingRequests.delete(authorization)
      const { url = '' } = request.routeOptions
      const isOwn = actingRequest.site !== undefined
      // an unknown address gets its own error
      if (!(url.startsWith('/api/') || (isOwn && request.is404))) throw new Problem('permission_denied')
      if (!isOwn && OWN_ACCOUNT_PATHS.test(url)) throw new Problem('permission_denied')
      if (actingRequest.reader && request.method !== 'GET') throw new Problem('permission_denied')
      request.reader = actingRequest.reader
      request.site = actingRequest.site
      return actingRequest.caller
    }
    const isBasic = /^basic\s/i.test(authorization)
    if (isBasic && isForm(request)) this.#checkSite(request)
    if (atLogin && !isBasic) return undefined
    return this.#accounts.getCached(authorization) ?? this.#accounts.authenticate(authorization, clientOf(request))
  }

  /**
   * Decisions 17 and 35: a browser states where an unsafe request comes from; it must be our own site, or one that CORS_ORIGINS names. A
   * client that states nothing is not a browser.
   */
  #checkSite(request: FastifyRequest): void {
    const origin = header(request, 'origin')
    const site = header(request, 'sec-fetch-site')
    if (site === 'same-origin' || site === 'none') return
    if (site === undefined && origin === undefined) return
    const own = siteOf(request)
    const isKnown = origin !== undefined && (this.#origins.has(origin) || (site === undefined && origin === own))
    if (!isKnown) throw new Problem('cross_site')
  }

  #requireEnrolment({ caller, routeOptions, url, method }: FastifyRequest): void {
    if (!caller || caller.hasSecondFactor || !setting(this.#services, 'LOGIN_ENFORCE_MFA')) return
    // the address as routed, however it is spelled
    const path = routeOptions.url ?? (url.split('?', 1)[0] as string)
    // pages outside of the API show no data of accounts
    if (!/^\/(api|plugin)\//.test(path) || ENROLMENT.test(path) || (SAFE.has(method) && READ_BEFORE_ENROLMENT.test(path))) return
    throw new Problem('mfa_enrolment_required')
  }
}
