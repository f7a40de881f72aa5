import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf, cookiesOf, header, siteOf } from '../../kit/http/http.ts'
import type { Caller } from '../../kit/request/caller.ts'
import { knownHosts } from '../../kit/request/hosts.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Database } from '../../kit/sql/tx.ts'
import { setting } from '../settings/live.ts'
import type { Accounts } from '../user/accounts.ts'
import { SESSION_COOKIE } from './sessions.ts'

const LOGIN = '/api/auth/login/'
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What an account without a second factor may ask for where everybody must have one (decision 37), and what it may read. */
const ENROLMENT = /^\/api\/(auth\/(mfa|logout|providers|login|social\/[^/]+\/(login|callback))|schema)(\/|$)/
const READ_BEFORE_ENROLMENT = /^\/api\/(user\/me\/)?$/

/**
 * What is not asked for in another's name: signing in, links and tokens that let in, and what plugins do and are; and reading several
 * addresses at once, each of which is asked as by the account itself.
 */
const ONLY_ONESELF = /^\/api\/(auth|email|user\/tokens?|plugins|action|locate|web\/read)\//

/**
 * Whether the body is one that a page of another site can have a browser send without asking us first. The browser then adds a password
 * that was once typed into its own window, as it adds a cookie.
 */
const isForm = (request: FastifyRequest): boolean =>
  /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(header(request, 'content-type')?.trim() ?? '')

/** Whose name a request is lent, and what it is asked inside of, if it is. */
type ActingRequest = Inside & { caller: Caller }

/** What a request is asked inside of. */
type Inside = {
  /** What it reads, such as the transaction of a write. It is a GET then, and changes nothing. */
  reader?: Database
  /** A request of the account itself, which asks this site: it may read all that it may read alone. */
  site?: string
}

/**
 * Stands before every request to the interface: the host it is for, the site it comes from, and who sends it.
 * @throws Problem 400, 401, 403, 429; 503 while all requests wait
 */
export class RequestGuard {
  readonly #services: Services
  readonly #accounts: Accounts
  readonly #isKnown: (host: string) => boolean
  readonly #origins: ReadonlySet<string>
  /** Who is let in by what is lent right now. */
  readonly #lent = new Map<string, ActingRequest>()

  constructor(services: Services, accounts: Accounts) {
    const { config } = services
    this.#services = services
    this.#accounts = accounts
    this.#isKnown = knownHosts(config)
    this.#origins = new Set([new URL(config.siteUrl).origin, ...(config.corsOrigins === '*' ? [] : config.corsOrigins)])
  }

  /**
   * Lets a request in, with its account if it has one. Nothing is awaited for an account that is remembered, while what is
   * remembered is good.
   */
  enter(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    let free: Promise<void> | undefined
    let settings: Promise<void> | undefined
    let account: Promise<void> | undefined
    try {
      // decision 35: only under the names by which the service is known
      if (!this.#isKnown(request.host)) throw new Problem('unknown_host')
      // the write that it belongs to has waited
      const waits = !this.#lentTo(request)?.reader
      free = waits ? this.#services.maintenance.pass() : undefined
      account = this.#identify(request)
      settings = waits ? this.#services.settings.upToDate() : undefined
      if (!free && !account && !settings) this.#requireEnrolment(request)
    } catch (error) {
      done(error as Error)
      return
    }
    if (!free && !account && !settings) {
      done()
      return
    }
    Promise.all([free, account, settings])
      .then(() => this.#requireEnrolment(request))
      .then(() => done(), done)
  }

  /**
   * Lets one request in as an account that is known already: one that the service sends itself, in the name of that account.
   * @param send is given the Authorization header, which is good once, and only until `send` is done
   */
  async lend<T>(caller: Caller, send: (authorization: string) => Promise<T>, inside: Inside = {}): Promise<T> {
    const authorization = `ActingRequest ${randomBytes(32).toString('base64url')}`
    this.#lent.set(authorization, { ...inside, caller })
    try {
      return await send(authorization)
    } finally {
      this.#lent.delete(authorization)
    }
  }

  #lentTo(request: FastifyRequest): ActingRequest | undefined {
    return this.#lent.size === 0 ? undefined : this.#lent.get(header(request, 'authorization')?.trim() ?? '')
  }

  /** Sets the account; gives a promise where it has to be looked for. */
  #identify(request: FastifyRequest): Promise<void> | undefined {
    const found = this.#find(request)
    if (!(found instanceof Promise)) {
      request.caller = found
      return undefined
    }
    return found.then((caller) => {
      request.caller = caller
    })
  }

  /** The account of a request: the one that is remembered, or a promise of it. */
  #find(request: FastifyRequest): Caller | Promise<Caller | undefined> | undefined {
    const authorization = header(request, 'authorization')?.trim()
    const atLogin = request.routeOptions.url === LOGIN
    if (!authorization) {
      if (!SAFE.has(request.method) || request.routeOptions.config.unsafe) this.#checkSite(request)
      const session = cookiesOf(request)[SESSION_COOKIE]
      // whoever logs in is not asked who they were (decision 30)
      return session && !atLogin ? this.#accounts.bySession(session) : undefined
    }
    const lent = this.#lentTo(request)
    if (lent) {
      this.#lent.delete(authorization)
      const { url = '' } = request.routeOptions
      const isOwn = lent.site !== undefined
      // an address that there is not is told by itself
      if (!(url.startsWith('/api/') || (isOwn && request.is404))) throw new Problem('permission_denied')
      if (!isOwn && ONLY_ONESELF.test(url)) throw new Problem('permission_denied')
      if (lent.reader && request.method !== 'GET') throw new Problem('permission_denied')
      request.reader = lent.reader
      request.site = lent.site
      return lent.caller
    }
    const isBasic = /^basic\s/i.test(authorization)
    if (isBasic && isForm(request)) this.#checkSite(request)
    if (atLogin && !isBasic) return undefined
    return this.#accounts.remembered(authorization) ?? this.#accounts.authenticate(authorization, clientOf(request))
  }

  /**
   * Decisions 17 and 35: a browser tells where an unsafe request comes from; it must be our own site, or one that
   * CORS_ORIGINS names. What tells nothing is no browser.
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
    // the address as it was understood, however it is written
    const path = routeOptions.url ?? (url.split('?', 1)[0] as string)
    // pages beside the interface show nothing of anyone's
    if (!/^\/(api|plugin)\//.test(path) || ENROLMENT.test(path) || (SAFE.has(method) && READ_BEFORE_ENROLMENT.test(path))) return
    throw new Problem('mfa_enrolment_required')
  }
}
