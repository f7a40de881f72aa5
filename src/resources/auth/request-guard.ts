import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getClient, getSite, readCookies, readHeader } from '../../kit/http/http.ts'
import type { Caller } from '../../kit/request/caller.ts'
import { createHostCheck } from '../../kit/request/hosts.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Database } from '../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import type { Accounts } from '../user/accounts.ts'
import { SESSION_COOKIE } from './sessions.ts'

const LOGIN_PATH = '/api/auth/login/'
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Requests allowed without a second factor where every account must have one, and those allowed for reading only. */
const ENROLLMENT_PATHS = /^\/api\/(auth\/(mfa|logout|providers|login|social\/[^/]+\/(login|callback))|schema)(\/|$)/
const READABLE_BEFORE_ENROLLMENT = /^\/api\/(user\/me\/|web\/(instance|logo)\/)?$/

/** Requests with a body that only read: a token that may only read can send them. */
const READING_POSTS = new Set(['/api/search/', '/api/web/read/'])

/**
 * Requests that cannot be made on behalf of an account: signing in, links and tokens that give access, and plugin management and actions;
 * and batches that read several addresses, each of which is requested as the account itself.
 */
const OWN_ACCOUNT_PATHS = /^\/api\/(auth|email|user\/tokens?|plugins|action|locate|web\/read)\//

/**
 * Whether a page of another site can have a browser send this body without a preflight request. The browser then adds a password that it
 * saved earlier, as it adds a cookie.
 */
const isForm = (request: FastifyRequest): boolean =>
  /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(readHeader(request, 'content-type')?.trim() ?? '')

/** The account that an internal request acts for, and its context, if any. */
type ActingRequest = InternalContext & { caller: Caller }

/** Context of an internal request. */
type InternalContext = {
  /** Database handle that it reads with, such as the transaction of a write. The request must then be a GET, and changes nothing. */
  reader?: Database
  /** Site of a request by the account itself, to this service: it may read everything that the account can read. */
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
      // only under the known host names of the service (docs/decisions.md#requests-from-browsers)
      if (!this.#isKnownHost(request.host)) throw new Problem('unknown_host')
      // the write that an internal read belongs to has already waited
      const mustWait = !this.#actingRequestOf(request)?.reader
      maintenance = mustWait ? this.#services.maintenance.requireAvailable() : undefined
      account = this.#identify(request)
      settings = mustWait ? this.#services.settings.upToDate() : undefined
      if (!maintenance && !account && !settings) this.#requireUsable(request)
    } catch (error) {
      done(error as Error)
      return
    }
    if (!maintenance && !account && !settings) {
      done()
      return
    }
    Promise.all([maintenance, account, settings])
      .then(() => this.#requireUsable(request))
      .then(() => done(), done)
  }

  /**
   * Admits one internal request on behalf of an account.
   * @param send receives the Authorization header, which is valid once, and only until `send` settles
   */
  async sendAs<T>(caller: Caller, send: (authorization: string) => Promise<T>, context: InternalContext = {}): Promise<T> {
    const authorization = `ActingRequest ${randomBytes(32).toString('base64url')}`
    this.#actingRequests.set(authorization, { ...context, caller })
    try {
      return await send(authorization)
    } finally {
      this.#actingRequests.delete(authorization)
    }
  }

  #actingRequestOf(request: FastifyRequest): ActingRequest | undefined {
    return this.#actingRequests.size === 0
      ? undefined
      : this.#actingRequests.get(readHeader(request, 'authorization')?.trim() ?? '')
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
    const authorization = readHeader(request, 'authorization')?.trim()
    const isLogin = request.routeOptions.url === LOGIN_PATH
    if (!authorization) {
      if (!SAFE_METHODS.has(request.method) || request.routeOptions.config.unsafe) this.#checkSite(request)
      const session = readCookies(request)[SESSION_COOKIE]
      // a sign-in does not depend on the previous account
      return session && !isLogin ? this.#accounts.findBySession(session) : undefined
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
    if (isLogin && !isBasic) return undefined
    return this.#accounts.getCached(authorization) ?? this.#accounts.authenticate(authorization, getClient(request))
  }

  /**
   * Rejects requests from other sites: a browser states where an unsafe request comes from; it must be our own site, or one that
   * CORS_ORIGINS names. A client that states nothing is not a browser.
   */
  #checkSite(request: FastifyRequest): void {
    const origin = readHeader(request, 'origin')
    const site = readHeader(request, 'sec-fetch-site')
    if (site === 'same-origin' || site === 'none') return
    if (site === undefined && origin === undefined) return
    const ownSite = getSite(request)
    const isKnown = origin !== undefined && (this.#origins.has(origin) || (site === undefined && origin === ownSite))
    if (!isKnown) throw new Problem('cross_site')
  }

  /** Rejects what the account, or the token of the request, must not do at all. */
  #requireUsable(request: FastifyRequest): void {
    this.#requireEnrolment(request)
    const { caller, method, routeOptions } = request
    if (!caller?.isReadOnly || READING_POSTS.has(routeOptions.url ?? '')) return
    if (!SAFE_METHODS.has(method) || routeOptions.config.unsafe) throw new Problem('read_only_token')
  }

  #requireEnrolment({ caller, routeOptions, url, method }: FastifyRequest): void {
    if (!caller || caller.hasSecondFactor || !setting(this.#services, 'LOGIN_ENFORCE_MFA')) return
    // the address as routed, however it is spelled
    const path = routeOptions.url ?? (url.split('?', 1)[0] as string)
    // pages outside of the API show no data of accounts
    if (
      !/^\/(api|plugin)\//.test(path) ||
      ENROLLMENT_PATHS.test(path) ||
      (SAFE_METHODS.has(method) && READABLE_BEFORE_ENROLLMENT.test(path))
    )
      return
    throw new Problem('mfa_enrolment_required')
  }
}
