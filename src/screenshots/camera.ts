import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { openBrowser } from '../console/testing/browser.ts'
import { OWNER, PASSWORD } from '../resources/web/demo/demo-accounts.ts'
import { renderPdf } from '../testing/pdf.ts'
import type { PageScene, PrintScene } from './scenes.ts'
import { SITE, type Workshop } from './workshop.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** Pixels of a picture per pixel of the page: text is sharp on good screens. */
const SCALE = 2

/** Timeout of a step in milliseconds: the page of the API takes long on a busy machine. */
const TIMEOUT_MS = 120_000

/** Takes pictures of a running service. */
export class Camera {
  readonly #workshop: Workshop
  readonly #time: string
  #browser: Promise<Browser> | undefined
  #session: Promise<string> | undefined

  /** @param time that the clock of the browser shows, as that of the service does */
  constructor(workshop: Workshop, time: string) {
    this.#workshop = workshop
    this.#time = time
  }

  async stop(): Promise<void> {
    await (await this.#browser)?.close()
  }

  /** Takes a picture, as PNG. */
  take(scene: PageScene | PrintScene): Promise<Buffer> {
    return 'path' in scene ? this.#capture(scene) : this.#print(scene)
  }

  async #capture({ path, text, colors, isPhone = false, height, prepare }: PageScene): Promise<Buffer> {
    this.#browser ??= openBrowser(undefined, [`--host-resolver-rules=MAP ${new URL(SITE).host} ${this.#workshop.host}`])
    this.#session ??= this.#signIn()
    const size = isPhone ? PHONE : DESKTOP
    const context = await (await this.#browser).newContext({
      baseURL: SITE,
      viewport: { ...size, height: height ?? size.height },
      deviceScaleFactor: SCALE,
      colorScheme: colors ?? 'light',
      hasTouch: isPhone,
      isMobile: isPhone,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    try {
      await context.addCookies([{ name: 'sessionid', value: await this.#session, url: SITE }])
      const page = await context.newPage()
      await page.addInitScript(stopPageClock, Date.parse(this.#time))
      page.setDefaultTimeout(TIMEOUT_MS)
      await page.goto(path)
      await page.getByText(text).first().waitFor()
      await prepare?.(page)
      // content that loads after the text, such as pictures
      await page.waitForLoadState('networkidle')
      return await page.screenshot({ animations: 'disabled', caret: 'hide' })
    } finally {
      await context.close()
    }
  }

  async #print({ templates, template, query, dpi }: PrintScene): Promise<Buffer> {
    const { results } = (await this.#get(`${templates}?limit=100`)).json() as { results: { pk: number; name: string }[] }
    const found = results.find(({ name }) => name === template)
    if (!found) throw new Error(`no template ${template} among ${results.map(({ name }) => name)}`)
    const response = await this.#get(`${templates}${found.pk}/print/?${query}`)
    const { file } = response.json() as { file: string }
    const page = await renderPdf((await this.#get(new URL(file).pathname)).rawPayload, dpi)
    // the edge of the paper
    return await sharp(page).extend({ top: 1, bottom: 1, left: 1, right: 1, background: '#dde2e3' }).png().toBuffer()
  }

  /** Sends a request as the owner of the workshop. @throws Error when it fails */
  async #get(url: string) {
    this.#session ??= this.#signIn()
    const response = await this.#workshop.app.inject({ method: 'GET', url, cookies: { sessionid: await this.#session } })
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${response.payload.slice(0, 500)}`)
    return response
  }

  async #signIn(): Promise<string> {
    const payload = { username: OWNER, password: PASSWORD }
    const response = await this.#workshop.app.inject({ method: 'POST', url: '/api/auth/login/', payload })
    const session = response.cookies.find(({ name }) => name === 'sessionid')
    if (!session) throw new Error(`signing in as ${OWNER} failed: ${response.payload}`)
    return session.value
  }
}

/**
 * Runs in the page: makes its clock show a time. Timers and animation frames continue; Playwright's fake clock would stop them as well.
 * @param now in milliseconds
 */
function stopPageClock(now: number): void {
  globalThis.Date = new Proxy(Date, {
    construct: (target, values) => Reflect.construct(target, values.length === 0 ? [now] : values),
    get: (target, name) => (name === 'now' ? () => now : Reflect.get(target, name)),
  })
}
