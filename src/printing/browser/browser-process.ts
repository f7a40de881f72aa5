import { setTimeout as pause } from 'node:timers/promises'
import { readTreeMemory } from '../../processes.ts'
import { onAbort } from '../abort.ts'
import { BrowserEnded, DocumentPage, LimitExceeded } from './document-page.ts'
import type { BrowserStarter, OpenBrowser } from './open-browser.ts'

export type Limits = {
  /** Time limit of one document. */
  seconds: number
  memoryMegabytes: number
  /** Idle seconds after which a browser is closed. */
  idleSeconds: number
  /** Ends the document, with its reason as the error. */
  signal?: AbortSignal
}

/** Milliseconds between memory checks: in a tenth of a second a browser allocates some 150 MB. */
const CHECK_INTERVAL_MS = 100
/** Milliseconds that a document may still take after it was aborted: most are done by then, and the next needs no new browser. */
const ABORT_GRACE_MS = 500
/** Number of documents after which a browser is closed in any case, so that nothing can accumulate in it. */
const MAX_DOCUMENTS = 1_000
/** Time limit for creating an empty page, in milliseconds. */
const EMPTY_PAGE_TIMEOUT_MS = 500
/** Minimum time limit of a document in seconds, up to the total limit: a busy machine takes several for a label. */
const MIN_TIMEOUT_SECONDS = 10
const MEGABYTE = 1024 * 1024

/** One browser, open while there is something to print. It prints one document at a time, so that a crash can be attributed. */
export class BrowserProcess {
  readonly #starter: BrowserStarter
  readonly #limits: Limits
  #open: OpenBrowser | undefined
  /** An empty page for the next document: creating one takes longer than printing a label. */
  #next: Promise<DocumentPage> | undefined
  #printed = 0
  #idle: NodeJS.Timeout | undefined
  #isBusy = false

  constructor(starter: BrowserStarter, limits: Limits) {
    this.#starter = starter
    this.#limits = limits
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Whether its browser is already open. */
  get isWarm(): boolean {
    return this.#open !== undefined
  }

  /**
   * Prints a document; call it only when it is not busy.
   * @param share the fraction of the time limit that it may take
   * @param signal ends it, with its reason as the error
   * @throws BrowserLaunchError, LimitExceeded, BrowserEnded, and the errors of the work
   */
  async print<Result>(work: (documentPage: DocumentPage) => Promise<Result>, share = 1, signal?: AbortSignal): Promise<Result> {
    this.#isBusy = true
    clearTimeout(this.#idle)
    const wasWarm = this.isWarm
    try {
      return await this.#printOnce(work, share, signal).catch((error) => {
        // it may have ended because of earlier work
        if (wasWarm && error instanceof BrowserEnded) return this.#printOnce(work, share, signal)
        throw error
      })
    } finally {
      this.#isBusy = false
      this.#idle = setTimeout(() => this.close(), this.#limits.idleSeconds * 1_000).unref()
    }
  }

  /** Closes its browser. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const openBrowser = this.#open
    const next = this.#next
    this.#open = undefined
    this.#next = undefined
    // puppeteer waits a long time for a page request without a response, and this process with it
    await Promise.race([next?.catch(() => undefined), pause(EMPTY_PAGE_TIMEOUT_MS, undefined, { ref: false })])
    openBrowser?.kill()
    await openBrowser?.ended
  }

  async #printOnce<Result>(
    work: (documentPage: DocumentPage) => Promise<Result>,
    share: number,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const openBrowser = this.#open ?? (await this.#openBrowser())
    const { seconds } = this.#limits
    const watch = watchBrowser(openBrowser, {
      ...this.#limits,
      seconds: Math.min(seconds, Math.max(seconds * share, MIN_TIMEOUT_SECONDS)),
      signal,
    })
    try {
      const next = this.#next ?? DocumentPage.open(openBrowser.browser)
      this.#next = undefined
      const documentPage = await Promise.race([next, watch.broken])
      const result = await Promise.race([work(documentPage), watch.broken])
      this.#prepareNext(openBrowser, documentPage)
      return result
    } catch (error) {
      // the browser may still be busy with it
      await this.close()
      throw error
    } finally {
      watch.stop()
      const shouldClose =
        ++this.#printed >= MAX_DOCUMENTS || watch.getPeakMemory() > (this.#limits.memoryMegabytes * MEGABYTE) / 2
      if (shouldClose) void this.close()
    }
  }

  async #openBrowser(): Promise<OpenBrowser> {
    const openBrowser = await this.#starter.open()
    this.#open = openBrowser
    this.#printed = 0
    void openBrowser.ended.then(() => {
      if (this.#open === openBrowser) void this.close()
    })
    return openBrowser
  }

  #prepareNext(openBrowser: OpenBrowser, used: DocumentPage): void {
    this.#next = used.close().then(() => DocumentPage.open(openBrowser.browser))
    this.#next.catch(() => undefined)
  }
}

/** Monitors a browser while it prints: `broken` rejects if it exceeds a limit, ends, or is aborted. */
function watchBrowser({ pid, ended }: OpenBrowser, { seconds, memoryMegabytes, signal }: Limits) {
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  void ended.then(() => broken.reject(new BrowserEnded('the browser ended')))
  const deadline = performance.now() + seconds * 1_000
  const stopListening = onAbort(signal, ABORT_GRACE_MS, () => broken.reject(signal?.reason))
  let peakMemory = 0
  const timer = setInterval(async () => {
    if (performance.now() > deadline) broken.reject(new LimitExceeded(`it takes more than ${Math.ceil(seconds)} seconds`))
    peakMemory = Math.max(peakMemory, (await readTreeMemory(pid)) ?? 0)
    if (peakMemory > memoryMegabytes * MEGABYTE)
      broken.reject(new LimitExceeded(`it takes more than ${memoryMegabytes} MB of memory`))
  }, CHECK_INTERVAL_MS)
  const stop = () => {
    stopListening()
    clearInterval(timer)
  }
  return { broken: broken.promise, getPeakMemory: () => peakMemory, stop }
}
