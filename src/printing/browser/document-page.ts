import { readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page, Protocol } from 'puppeteer-core'
import {
  type Lengths,
  type PdfJob,
  PRINTED_SITE,
  type Printable,
  type RenderedItem,
  type Resource,
  type Typefaces,
} from '../../kit/services/printer.ts'
import { IN_PAGE_SCRIPT } from '../../paths.ts'
import { MAX_ELEMENTS, READ_STYLES, readPageElements } from './page-content.ts'
import { PdfPages } from './pdf-pages.ts'

/** A document exceeds a limit. Its message is human-readable. */
export class LimitExceeded extends Error {}

/** The browser or its page ended, for any reason. */
export class BrowserEnded extends Error {}

/** Maximum number of requests of one document, and of bytes in their responses. */
const MAX_REQUESTS = 2_500
const MAX_LOADED_BYTES = 256 * 1024 * 1024
/** Maximum size of a PDF in bytes, and of a picture in dots. */
const MAX_PDF_BYTES = 128 * 1024 * 1024
const PDF_TOO_LARGE = `its PDF exceeds ${MAX_PDF_BYTES} bytes`
const MAX_IMAGE_DOTS = 40_000_000
/** Bytes of a PDF that are fetched in one step. */
const CHUNK_BYTES = 1024 * 1024
/** Maximum characters of a document whose content is analyzed. */
const MAX_READ_LENGTH = 1_000_000
/** Maximum missing characters of a document that are checked against the browser's own typefaces. */
const MAX_MISSING_CHARACTERS = 100
/** A private-use character, which no typeface has. */
const NO_CHARACTER = '\u{10fffd}'
const MM_PER_INCH = 25.4
/** CSS pixels per inch. */
const PIXELS_PER_INCH = 96

/**
 * The policy sent with a document. It may load pictures, styles and fonts, through requests that this class handles; it may do nothing else, has no
 * origin, and runs no scripts, even if they were enabled.
 */
const POLICY =
  "sandbox; default-src 'none'; img-src http: https: data:; font-src http: https: data:; style-src http: https: data: 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The script that runs in a page before it is printed. */
const PREPARE_SCRIPT = readFileSync(IN_PAGE_SCRIPT, 'utf8')

/** An empty page of a browser, on which one document is printed. Nothing of it is left for the next one. */
export class DocumentPage {
  readonly #page: Page
  readonly #session: CDPSession
  readonly #crashed = Promise.withResolvers<never>()

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
    page.once('error', () => this.#crashed.reject(new BrowserEnded('its page crashed')))
    this.#crashed.promise.catch(() => undefined)
  }

  /** @throws BrowserEnded */
  static async open(browser: Browser): Promise<DocumentPage> {
    try {
      const page = await browser.newPage()
      const documentPage = new DocumentPage(page, await page.createCDPSession())
      await Promise.all([
        documentPage.#send('Emulation.setScriptExecutionDisabled', { value: true }),
        documentPage.#send('Emulation.setEmulatedMedia', { media: 'print' }),
        documentPage.#send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
        documentPage.#send('Page.enable'),
      ])
      return documentPage
    } catch (error) {
      throw new BrowserEnded((error as Error).message)
    }
  }

  /** Closes the page, and drops everything in it. */
  async close(): Promise<void> {
    await this.#page.close().catch(() => undefined)
  }

  /**
   * The document's `resource` may throw, too.
   * @throws LimitExceeded, BrowserEnded
   */
  async pdf(job: PdfJob): Promise<Buffer> {
    const { html } = job
    const pages = new PdfPages(job.page)
    let bytes = 0
    for (const [index, documentHtml] of (typeof html === 'string' ? [html] : html).entries()) {
      // each on a separate page: the content of the previous one is released late, and slows down the next
      const documentPage = index === 0 ? this : await DocumentPage.open(this.#page.browser())
      const pdf = await documentPage.#printPdf({ ...job, html: documentHtml })
      if (documentPage !== this) await documentPage.close()
      bytes += pdf.length
      if (bytes > MAX_PDF_BYTES) throw new LimitExceeded(PDF_TOO_LARGE)
      await pages.add(pdf)
      if (typeof html !== 'string') await job.onProgress?.(index + 1)
    }
    return pages.save()
  }

  async #printPdf(document: PdfJob & { html: string }): Promise<Buffer> {
    const { page, margins } = document
    await this.#load(document)
    const inches = (mm = 0) => mm / MM_PER_INCH
    const { stream } = await this.#send('Page.printToPDF', {
      printBackground: true,
      preferCSSPageSize: true,
      paperWidth: inches(page.width),
      paperHeight: inches(page.height),
      marginTop: inches(margins?.top),
      marginRight: inches(margins?.right),
      marginBottom: inches(margins?.bottom),
      marginLeft: inches(margins?.left),
      generateTaggedPDF: false,
      transferMode: 'ReturnAsStream',
    })
    return this.#read(stream as string)
  }

  /** @throws as `pdf` */
  async png(document: Printable & { size: Lengths; dpi: number }): Promise<Buffer> {
    const { size, dpi } = document
    const pixels = (mm: number) => (mm / MM_PER_INCH) * PIXELS_PER_INCH
    const [width, height] = [pixels(size.width), pixels(size.height)]
    const scale = dpi / PIXELS_PER_INCH
    if (width * height * scale ** 2 > MAX_IMAGE_DOTS)
      throw new LimitExceeded(`its image would have more than ${MAX_IMAGE_DOTS} dots`)
    await this.#send('Emulation.setDeviceMetricsOverride', {
      width: Math.ceil(width),
      height: Math.ceil(height),
      deviceScaleFactor: scale,
      mobile: false,
    })
    await this.#load(document)
    const clip = { x: 0, y: 0, width, height, scale: 1 }
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png', clip })
    return Buffer.from(data, 'base64')
  }

  /** @throws as `pdf` */
  async read(document: Printable & { size: Lengths; dpi: number }): Promise<{ png: Buffer; shown: RenderedItem[] | undefined }> {
    const png = await this.png(document)
    // a document too long for analysis does not count as simple
    if (document.html.length > MAX_READ_LENGTH || document.html.split('<').length > MAX_ELEMENTS) return { png, shown: undefined }
    const snapshot = await this.#send('DOMSnapshot.captureSnapshot', { computedStyles: [...READ_STYLES] })
    return { png, shown: readPageElements(snapshot) }
  }

  /** Loads a document with all its resources. */
  async #load({ html, resource, typefaces, missing }: Printable): Promise<void> {
    let requests = 0
    let bytes = 0
    const fetchResource = async (url: string): Promise<Resource | undefined> => {
      const outcome = await resource(url)
      bytes += outcome?.body.byteLength ?? 0
      if (bytes > MAX_LOADED_BYTES) throw new LimitExceeded(`its images, styles and fonts exceed ${MAX_LOADED_BYTES} bytes`)
      return outcome
    }
    const rejection = Promise.withResolvers<never>()
    let isDocumentSent = false
    const handleRequest = async ({ requestId, request: { url, method }, resourceType }: Protocol.Fetch.RequestPausedEvent) => {
      try {
        requests++
        if (requests > MAX_REQUESTS) throw new LimitExceeded(`it loads more than ${MAX_REQUESTS} images, styles and fonts`)
        if (resourceType === 'Document') {
          // navigation to another document is aborted, so that this one stays
          if (isDocumentSent) return await this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
          isDocumentSent = true
          return await this.#fulfil(requestId, 200, DOCUMENT_HEADERS, Buffer.from(html))
        }
        const isAllowed = method === 'GET' && /^https?:/.test(url)
        const outcome = isAllowed ? await fetchResource(url) : undefined
        // a failed request would be repeated
        if (!outcome) return await this.#fulfil(requestId, 404, RESOURCE_HEADERS, Buffer.alloc(0))
        await this.#fulfil(requestId, 200, { ...RESOURCE_HEADERS, 'content-type': outcome.type }, outcome.body)
      } catch (error) {
        // the document may no longer wait for this response
        if (!(error instanceof BrowserEnded)) rejection.reject(error)
      }
    }
    this.#session.on('Fetch.requestPaused', handleRequest)
    const loaded = new Promise((resolve) => this.#session.once('Page.loadEventFired', resolve))
    const showContent = async () => {
      await this.#send('Page.navigate', { url: PRINTED_SITE })
      await loaded
      // typefaces are requested when text uses them, which may be after everything else has loaded
      if (typefaces) await this.#extendTypefaces(typefaces, missing)
      else await this.#evaluate('document.fonts.ready.then(() => 0)')
    }
    try {
      await Promise.race([showContent(), rejection.promise])
    } finally {
      this.#session.off('Fetch.requestPaused', handleRequest)
    }
  }

  /** Shows text in the given typefaces where those of its own styles do not have its characters. */
  async #extendTypefaces({ names, split }: Typefaces, missing: Printable['missing']): Promise<void> {
    const outcome = await this.#evaluate(`${PREPARE_SCRIPT}extendTypefaces(${JSON.stringify(names)})`)
    const { characters = '', isAlien = true, isExtended = false } = outcome ?? {}
    const byTypeface = split(characters)
    const missingCharacters = [...(byTypeface.get(undefined) ?? '')]
    byTypeface.delete(undefined)
    if (isExtended && byTypeface.size > 0) await this.#evaluate(`loadTypefaces(${JSON.stringify([...byTypeface])})`)
    if (missingCharacters.length > 0 && missing && !isAlien) missing(await this.#findWithoutTypeface(missingCharacters))
  }

  /** Evaluates an expression in the page, and awaits its result; undefined if it fails. */
  async #evaluate(expression: string) {
    const { result } = await this.#send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    return result.value
  }

  /** The characters that the browser has no typeface for either: they look like a non-existent character. */
  async #findWithoutTypeface(characters: readonly string[]): Promise<string[]> {
    const candidates = [NO_CHARACTER, ...characters.slice(0, MAX_MISSING_CHARACTERS)]
    const widths: number[] = (await this.#evaluate(`showCharacters(${JSON.stringify(candidates)})`)) ?? []
    await this.#send('DOM.enable')
    await this.#send('CSS.enable')
    const { root } = await this.#send('DOM.getDocument', { depth: 0 })
    const { nodeIds } = await this.#send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '#shown-characters > span' })
    const shapes: string[] = []
    for (const [index, nodeId] of nodeIds.entries()) {
      const { fonts } = await this.#send('CSS.getPlatformFontsForNode', { nodeId })
      shapes.push([widths[index], ...fonts.map(({ familyName, isCustomFont }) => `${familyName} ${isCustomFont}`)].join())
    }
    await this.#evaluate('showCharacters([])')
    await this.#send('CSS.disable')
    await this.#send('DOM.disable')
    return characters.filter((_, index) => shapes[index + 1] === undefined || shapes[index + 1] === shapes[0])
  }

  #fulfil(requestId: string, status: number, headers: Record<string, string>, body: Uint8Array): Promise<void> {
    return this.#send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
    })
  }

  readonly #send: CDPSession['send'] = async (...message) => {
    const reply = this.#session.send(...message).catch((error) => {
      throw new BrowserEnded(error.message)
    })
    return await Promise.race([reply, this.#crashed.promise])
  }

  async #read(handle: string): Promise<Buffer> {
    const pieces: Buffer[] = []
    let length = 0
    for (;;) {
      const { data, base64Encoded, eof } = await this.#send('IO.read', { handle, size: CHUNK_BYTES })
      const piece = Buffer.from(data, base64Encoded ? 'base64' : 'utf8')
      length += piece.length
      if (length > MAX_PDF_BYTES) throw new LimitExceeded(PDF_TOO_LARGE)
      pieces.push(piece)
      if (eof) return Buffer.concat(pieces)
    }
  }
}

const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
}

const RESOURCE_HEADERS = {
  'x-content-type-options': 'nosniff',
  // a document has no origin, and fonts are limited to their own origin by default
  'access-control-allow-origin': '*',
  // the next document belongs to another account
  'cache-control': 'no-store',
}
