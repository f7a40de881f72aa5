import { lookup as lookUp } from 'node:dns'
import { get as getHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { get as getHttps, Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type AddressCheck, createAddressCheck, FetchError } from '../../kit/services/download.ts'
import { InstallError } from './cannot-install.ts'
import type { Credentials } from './package-request.ts'

/** Remaining bytes; shared by all fetches of a kind in one installation. */
export type ByteBudget = { remaining: number; error: () => Error }

/** Maximum number of concurrent connections. */
const MAX_CONNECTIONS = 10
const MAX_REDIRECTS = 5

type FetchOptions = {
  accept: string
  /** Whether the body may be compressed. An archive may not: a checksum covers its bytes. */
  isZippable?: boolean
  budget: ByteBudget
}

type Access = {
  /** Aborts requests in progress. */
  signal: AbortSignal
  credentials?: Credentials
  /** The URL of the credentials: they are sent only to its origin. */
  url?: string
  /** FETCH_ALLOWED_HOSTS: internal hosts that are allowed in addition to those of `allowHost`. */
  allowedHosts?: readonly string[]
}

/**
 * Fetches over HTTP for one installation, through the proxies of the environment. It connects to the public internet and to the hosts that
 * the user named; the target of a redirect or the URL of an archive may be internal only if FETCH_ALLOWED_HOSTS permits it.
 */
export class HttpClient {
  readonly #access: Access
  readonly #check: AddressCheck
  readonly #explicitHosts = new Set<string>()
  readonly #proxies: ReadonlySet<string>
  readonly #http: HttpAgent
  readonly #https: HttpsAgent

  constructor(access: Access, environment: NodeJS.ProcessEnv = process.env) {
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS, proxyEnv: environment }
    this.#access = access
    this.#check = createAddressCheck({ allowedHosts: access.allowedHosts })
    const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].map((name) => URL.parse(environment[name] ?? ''))
    this.#proxies = new Set(proxies.map((url) => url?.hostname ?? ''))
    this.#http = new HttpAgent(options)
    this.#https = new HttpsAgent(options)
  }

  /** Allows the host and port of a URL from the user to be internal. */
  allowHost(url: string): void {
    this.#explicitHosts.add(new URL(url).host)
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  /**
   * Fetches the body of a response with status 200, following redirects. A request that fails in transit is retried once.
   * @throws InstallError
   */
  async fetch(url: string, options: FetchOptions): Promise<Buffer> {
    try {
      return await this.#fetch(url, options)
    } catch (error) {
      if (error instanceof InstallError || this.#access.signal.aborted) throw error
    }
    try {
      return await this.#fetch(url, options)
    } catch (error) {
      if (error instanceof InstallError || this.#access.signal.aborted) throw error
      const { code, message } = error as NodeJS.ErrnoException
      throw new InstallError(`${removeQuery(url)} cannot be fetched: ${code ?? message}`)
    }
  }

  async #fetch(firstUrl: string, options: FetchOptions): Promise<Buffer> {
    let url = new URL(firstUrl)
    for (let step = 0; step <= MAX_REDIRECTS; step++) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new InstallError(`${removeQuery(firstUrl)} redirects to an address that is neither http nor https.`)
      const response = await this.#request(url, options).catch((error) => {
        throw error instanceof FetchError ? new InstallError(`${removeQuery(url.href)}: ${error.message}.`) : error
      })
      const { statusCode = 0, statusMessage = '', headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy()
        const next = URL.parse(headers.location, url.href)
        if (!next) throw new InstallError(`${removeQuery(firstUrl)} redirects to an invalid address.`)
        url = next
        continue
      }
      if (statusCode === 200) return await readBody(response, options)
      response.destroy()
      const failure = `${statusCode} ${statusMessage.slice(0, 100)}: ${removeQuery(firstUrl)}`
      throw statusCode >= 500 || statusCode === 429 ? new Error(failure) : new InstallError(failure)
    }
    throw new InstallError(`${removeQuery(firstUrl)} redirects too many times.`)
  }

  async #request(url: URL, { accept, isZippable }: FetchOptions): Promise<IncomingMessage> {
    const { signal } = this.#access
    const isExplicit = this.#explicitHosts.has(url.host)
    if (!isExplicit) this.#check.requireAllowed(url)
    const isHttps = url.protocol === 'https:'
    const encoding = isZippable ? { 'accept-encoding': 'gzip' } : {}
    const headers = { accept, ...encoding, 'user-agent': 'Stockroom', ...this.#authorization(url) }
    const lookup = isExplicit ? undefined : this.#lookup
    const options = { agent: isHttps ? this.#https : this.#http, signal, headers, lookup }
    return await new Promise((resolve, reject) => {
      const get = isHttps ? getHttps : getHttp
      get(url, options, resolve).on('error', reject)
    })
  }

  /** A proxy may be internal; it resolves the host itself. */
  readonly #lookup: LookupFunction = (host, options, done) =>
    this.#proxies.has(host) ? lookUp(host, options, done) : this.#check.lookup(host, options, done)

  #authorization({ origin }: URL): { authorization?: string } {
    const { credentials, url } = this.#access
    if (!credentials || !url || URL.parse(url)?.origin !== origin) return {}
    const { username, password } = credentials
    // a user name without password is a token
    if (!password) return { authorization: `Bearer ${username}` }
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  }
}

async function readBody(response: IncomingMessage, { isZippable, budget }: FetchOptions): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of response as AsyncIterable<Buffer>) {
    budget.remaining -= piece.length
    if (budget.remaining < 0) throw budget.error()
    pieces.push(piece)
  }
  const body = Buffer.concat(pieces)
  if (!isZippable || response.headers['content-encoding'] !== 'gzip') return body
  const unzipped = await promisify(gunzip)(body, { maxOutputLength: Math.max(budget.remaining + body.length, 1) }).catch(
    (error) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE' ? budget.error() : error
    },
  )
  budget.remaining += body.length - unzipped.length
  return unzipped
}

// a query may contain a key
const removeQuery = (url: string): string => url.split(/[?#]/, 1)[0] as string
