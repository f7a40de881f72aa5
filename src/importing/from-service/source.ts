import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, parseJson } from '../../kit/values/json.ts'
import { OperatorError } from '../../operator-error.ts'

const TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 6
const FIRST_DELAY_MS = 500
/** Maximum number of bytes of a response other than a file. */
const MAX_RESPONSE_BYTES = 256 << 20

/** A row of a list, as the service returns it. */
export type SourceRow = Record<string, unknown>
export type SourcePage = { count: number; rows: SourceRow[] }

/** What the root of the API says of the service. */
export type SourceRelease = { version: string; apiVersion: number }

/** A status that a repetition does not change, such as 403 or 404. */
export class SourceError extends Error {
  readonly status: number

  constructor(status: number, path: string) {
    super(`the service responds to ${path} with status ${status}`)
    this.status = status
  }
}

/** A running InvenTree, read through its API. Requests that fail for a reason that can pass are repeated, for about fifteen seconds. */
export class Source {
  readonly url: URL
  readonly #token: string
  readonly #firstDelayMs: number

  /**
   * @param url the root of the service, such as `https://inventree.example.com`
   * @param firstDelayMs the delay before the first repetition; each further one doubles it
   * @throws OperatorError when it is no such URL
   */
  constructor(url: string, token: string, firstDelayMs: number = FIRST_DELAY_MS) {
    const parsed = URL.parse(url)
    if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new OperatorError(`--from ${url} is not an http or https URL`)
    this.url = new URL(parsed.href.replace(/\/*(\?.*|#.*)?$/, '/'))
    this.#token = token
    this.#firstDelayMs = firstDelayMs
  }

  /** @throws OperatorError when it is not InvenTree, or one that is too old */
  async readRelease(): Promise<SourceRelease> {
    const root = await this.get('api/').catch((error: Error) => {
      if (error instanceof OperatorError) throw error
      throw new OperatorError(`${this.url} does not respond as InvenTree: ${error.message}`)
    })
    const { version, apiVersion } = isObject(root) ? root : {}
    if (typeof apiVersion !== 'number' || !Number.isInteger(apiVersion))
      throw new OperatorError(`${this.url} does not respond as InvenTree: it names no apiVersion`)
    if (apiVersion < 196)
      throw new OperatorError(
        `${this.url} is InvenTree with API ${apiVersion}; at least 196 (release 0.15) is needed. Import a dump instead, or update it first`,
      )
    return { version: String(version ?? '').slice(0, 40), apiVersion }
  }

  /** Reads a page of a list, whether or not the list has pages. @throws SourceError */
  async readPage({ path, query }: { path: string; query: string }, offset: number, limit: number): Promise<SourcePage> {
    const page = await this.get(`${path}?limit=${limit}&offset=${offset}${query && `&${query}`}`)
    const rows = Array.isArray(page) ? page.slice(offset, offset + limit) : isObject(page) ? page.results : undefined
    const count = Array.isArray(page) ? page.length : isObject(page) ? page.count : undefined
    if (!Array.isArray(rows) || !rows.every(isObject) || typeof count !== 'number')
      throw new OperatorError(`the service responds to ${path} with something other than a list`)
    return { count, rows }
  }

  /**
   * Reads the JSON at a path.
   * @param path without a leading slash
   * @throws SourceError
   * @throws OperatorError when the service does not accept the token
   */
  async get(path: string): Promise<unknown> {
    return await this.#repeat(async (signal) => {
      const response = await this.#request(new URL(path, this.url), signal).catch((error) => {
        if (error instanceof SourceError && error.status === 401) throw new OperatorError(`${this.url} does not accept the token`)
        throw error
      })
      if (Number(response.headers.get('content-length') ?? 0) > MAX_RESPONSE_BYTES)
        throw new OperatorError(`the response to ${path} is too large`)
      const text = await response.text()
      try {
        return parseJson(text)
      } catch {
        throw new SourceError(response.status, `${path}, but not with JSON`)
      }
    })
  }

  /**
   * Downloads a file.
   * @param path of the file at the service: a path, or a URL, possibly of another host, which does not receive the token
   * @param store receives its content, and again all of it if the download fails halfway
   * @throws SourceError
   */
  async download(path: string, store: (content: Readable) => Promise<unknown>): Promise<void> {
    await this.#repeat(async (signal) => {
      const response = await this.#request(new URL(path, this.url), signal)
      await store(Readable.fromWeb(response.body as never))
    })
  }

  async #request(url: URL, signal: AbortSignal): Promise<Response> {
    const authorization: Record<string, string> = url.origin === this.url.origin ? { authorization: `Token ${this.#token}` } : {}
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json', ...authorization } })
    if (response.status === 200) return response
    await response.body?.cancel()
    throw new SourceError(response.status, url.pathname)
  }

  async #repeat<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(AbortSignal.timeout(TIMEOUT_MS))
      } catch (error) {
        const isFinal =
          error instanceof OperatorError || (error instanceof SourceError && error.status !== 429 && error.status < 500)
        if (isFinal || attempt === MAX_ATTEMPTS) throw withCause(error as Error)
        await sleep(this.#firstDelayMs * 2 ** (attempt - 1))
      }
    }
  }
}

/** The error of a connection says why only in its cause. */
function withCause(error: Error): Error {
  const { cause } = error
  if (error instanceof SourceError || !(cause instanceof Error) || error.message.includes(cause.message)) return error
  return new Error(`${error.message}: ${cause.message}`, { cause })
}
