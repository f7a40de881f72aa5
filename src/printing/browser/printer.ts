import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { invalidObject, Problem } from '../../kit/request/problem.ts'
import type { PdfJob, Printer } from '../../kit/services/printer.ts'
import { Semaphore } from '../../kit/services/semaphore.ts'
import { printErrors } from '../print-errors.ts'
import { BrowserProcess, type Limits } from './browser-process.ts'
import { BrowserEnded, type DocumentPage, LimitExceeded } from './document-page.ts'
import { BrowserLaunchError, BrowserStarter } from './open-browser.ts'
import { BrowserUnpackError, unpackBrowser } from './unpack.ts'

/**
 * Maximum number of browsers that print concurrently, and of those for one account: one is always left for others, and opened only when
 * they print at the same time. Each takes the processor time of one core, and its own memory.
 */
const BROWSER_COUNT = 3
const MAX_BROWSERS_PER_ACCOUNT = 2
/** Seconds that a document waits for its turn beyond the time limit of another. */
const EXTRA_QUEUE_SECONDS = 15
/**
 * Maximum number of waiting documents of one account, and the characters of a document that count as one: they are kept in memory while
 * they wait.
 */
const MAX_QUEUE_LENGTH = 100
const CHARACTERS_PER_QUEUE_PLACE = 200_000
/** Milliseconds after which a failed setup of the browser is retried. */
const RETRY_AFTER_MS = 60_000

/** Idle seconds after which a browser is closed. */
const IDLE_SECONDS = 30

type Options = { config: Config; log: Logger; idleSeconds?: number }

/** Prints with Chromium. Without it, print requests get an error, and everything else works. */
export class ChromiumPrinter implements Printer {
  readonly #config: Config
  readonly #log: Logger
  readonly #idleSeconds: number
  readonly #stopping = new AbortController()
  readonly #semaphore: Semaphore
  #isStopping = false
  #ready: readonly BrowserProcess[] = []
  #browsers: Promise<readonly BrowserProcess[]> | undefined
  #reason: string | undefined
  #failedAt = 0

  constructor({ config, log, idleSeconds = IDLE_SECONDS }: Options) {
    this.#config = config
    this.#idleSeconds = idleSeconds
    this.#log = log
    const queueTimeoutMs = (config.printSeconds + EXTRA_QUEUE_SECONDS) * 1_000
    this.#semaphore = new Semaphore(
      BROWSER_COUNT,
      queueTimeoutMs,
      printErrors.too_much_printing,
      MAX_QUEUE_LENGTH,
      MAX_BROWSERS_PER_ACCOUNT,
    )
  }

  /** Sets up the browser in the background. */
  start(): void {
    this.#getBrowsers().catch(({ message }) => {
      if (!this.#isStopping) this.#log.warn(`printing is unavailable: ${message}`)
    })
  }

  /** Aborts current prints. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#ready.map((browser) => browser.close()))
    this.#stopping.abort()
    await this.#browsers?.catch(() => undefined)
  }

  unavailable(): string | undefined {
    return this.#reason
  }

  pdf(document: Parameters<Printer['pdf']>[0]): Promise<Buffer> {
    return this.#print(document, (documentPage) => documentPage.pdf(document))
  }

  png(document: Parameters<Printer['png']>[0]): Promise<Buffer> {
    return this.#print(document, (documentPage) => documentPage.png(document))
  }

  read(document: Parameters<Printer['read']>[0]): ReturnType<Printer['read']> {
    return this.#print(document, (documentPage) => documentPage.read(document))
  }

  async #print<Result>(
    { html, account, share, signal }: Pick<PdfJob, 'html' | 'account' | 'share' | 'signal'>,
    work: (documentPage: DocumentPage) => Promise<Result>,
  ): Promise<Result> {
    try {
      const browsers = await this.#getBrowsers()
      const print = () => {
        const idleBrowsers = browsers.filter((browser) => !browser.isBusy)
        return ((idleBrowsers.find((browser) => browser.isWarm) ?? idleBrowsers[0]) as BrowserProcess).print(work, share, signal)
      }
      const characters = typeof html === 'string' ? html.length : html.reduce((sum, { length }) => sum + length, 0)
      return await this.#semaphore.run(print, { account, size: Math.ceil(characters / CHARACTERS_PER_QUEUE_PLACE), signal })
    } catch (error) {
      throw this.#toProblem(error as Error)
    }
  }

  #toProblem(error: Error): Error {
    const { message } = error
    if (this.#isStopping) return new Problem('unavailable', printErrors.printing_stopped)
    if (error instanceof LimitExceeded) {
      this.#log.warn(`could not print a document: ${message}`)
      return invalidObject(printErrors.document_not_printable({ reason: message }))
    }
    if (error instanceof BrowserEnded) {
      this.#log.error(`could not print a document: ${message}`)
      return invalidObject(printErrors.browser_ended)
    }
    if (error instanceof BrowserUnpackError || error instanceof BrowserLaunchError)
      return new Problem('unavailable', printErrors.browser_unavailable({ reason: message }), {
        'retry-after': String(RETRY_AFTER_MS / 1_000),
      })
    return error
  }

  /** @throws BrowserUnpackError, BrowserLaunchError */
  async #getBrowsers(): Promise<readonly BrowserProcess[]> {
    if (this.#reason !== undefined && performance.now() > this.#failedAt + RETRY_AFTER_MS) this.#browsers = undefined
    this.#browsers ??= this.#startBrowsers()
    return await this.#browsers
  }

  async #startBrowsers(): Promise<readonly BrowserProcess[]> {
    const { chromePath, dataDir, minFreeDisk, printSeconds, printMemoryMegabytes } = this.#config
    const limits: Limits = { seconds: printSeconds, memoryMegabytes: printMemoryMegabytes, idleSeconds: this.#idleSeconds }
    try {
      const chromium = chromePath ? { executable: chromePath } : await unpackBrowser(dataDir, minFreeDisk, this.#stopping.signal)
      const starter = new BrowserStarter(chromium, this.#log, this.#stopping.signal)
      await starter.tryOut()
      this.#reason = undefined
      this.#ready = Array.from({ length: BROWSER_COUNT }, () => new BrowserProcess(starter, limits))
      return this.#ready
    } catch (error) {
      this.#reason = (error as Error).message
      this.#failedAt = performance.now()
      throw error
    }
  }
}
