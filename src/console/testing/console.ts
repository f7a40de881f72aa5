import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { atEnd } from '../../testing/end.ts'
import { testChromium } from '../../testing/printing.ts'
import { type CallerName, PASSWORD, type TestService } from '../../testing/service.ts'
import { patience } from '../../testing/slowness.ts'

export { cannotPrint as cannotBrowse } from '../../testing/printing.ts'

/** A host that is this machine, and that browsers do not know as such: plain http there is not as safe to them as on localhost. */
export const OTHER_HOST = 'workshop.example'

/** What a browser of a story is told beside what Playwright tells it. */
const FLAGS = [
  `--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
]

/** How long after a key the next one is pressed, in milliseconds, and how long after a text Enter or Tab: what ends evenly is a scan. */
const PACE = 60
const PACE_OF_END = 250

/** How long a step of a story may take, in milliseconds. */
const STEP_TIMEOUT_MS = patience(30_000)

/**
 * Where CONSOLE_SLOW says milliseconds, answers are that much later at the most, each as chance will have it: a story that then fails
 * stood on a quick machine, or the console does, for whoever is quicker than it.
 */
const SLOW = Number(process.env.CONSOLE_SLOW ?? 0)

/** What the camera of a browser shows, if it has one. */
let film: string | undefined

/** Gives the browser of this test file a camera, before it is opened. @param path the film that it shows: see `filmOf` in camera.ts */
export function cameraShows(path: string): void {
  film = path
  after(() => {
    film = undefined
  })
}

const cameraFlags = (): string[] =>
  film
    ? ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-video-capture=${film}`]
    : []

/** What is open, by what its camera shows. */
const opened = new Map<string | undefined, Promise<Browser>>()
atEnd(() => Promise.all([...opened.values()].map(async (browser) => (await browser).close())))

/** The browser of a test file, which others of its process have too: each page has cookies and stores of its own. */
function browser(): Promise<Browser> {
  const open = opened.get(film) ?? openBrowser()
  opened.set(film, open)
  return open
}

async function openBrowser(): Promise<Browser> {
  const { executable, libraries, fonts } = await testChromium()
  const launch = (env: Record<string, string>) =>
    chromium.launch({
      executablePath: executable,
      args: [...FLAGS, ...cameraFlags()],
      env: { ...env, ...(fonts ? { FONTCONFIG_FILE: fonts } : {}) },
    })
  const started = await launch({}).catch((error) => {
    // libraries that this machine lacks
    if (!libraries || !String(error).includes('shared libraries')) throw error
    return launch({ LD_LIBRARY_PATH: libraries })
  })
  return started
}

/** Where a service of the tests listens. */
export const addressOf = (service: TestService, host = '127.0.0.1'): string =>
  `http://${host}:${(service.app.server.address() as AddressInfo).port}`

/**
 * The console of a service in a browser of its own, signed in as a kind of caller. What goes wrong in a script of it fails the story.
 * @param path the page that is opened
 * @param options.host the name of the service in the address, such as `OTHER_HOST`; by default 127.0.0.1
 */
export async function consoleOf(
  service: TestService,
  caller: CallerName = 'member',
  path = '/',
  { host, ...options }: BrowserContextOptions & { host?: string } = {},
): Promise<Page> {
  const baseURL = addressOf(service, host)
  const context = await (await browser()).newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // what a browser keeps of the console stands between a story and the network
    serviceWorkers: 'block',
    ...options,
  })
  if (caller !== 'anonymous')
    await context.addCookies([{ name: 'sessionid', value: await sessionOf(service, caller), url: baseURL }])
  if (SLOW > 0)
    await context.route('**/api/**', async (route) => {
      await setTimeout(Math.random() * SLOW)
      await route.continue().catch(() => undefined)
    })
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  // as people type: what types faster is a scanner
  const { keyboard } = page
  const [type, press] = [keyboard.type.bind(keyboard), keyboard.press.bind(keyboard)]
  let hasTyped = false
  keyboard.type = (text, options) => {
    hasTyped = true
    return type(text, { delay: PACE, ...options })
  }
  keyboard.press = async (key, options) => {
    await page.waitForTimeout(hasTyped && /^(Enter|Tab)$/.test(key) ? PACE_OF_END : PACE)
    hasTyped = false
    return press(key, options)
  }
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    // the browser says by itself that an answer was no success
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) failures.push(message.text())
  })
  after(async () => {
    await context.close()
    assert.deepEqual(failures, [], `${caller} at ${path}`)
  })
  await page.goto(path)
  await page.locator('main').waitFor()
  return page
}

/** Signs a caller in, and gives the session. */
async function sessionOf(service: TestService, username: CallerName): Promise<string> {
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { username, password: PASSWORD },
  })
  const session = response.cookies.find(({ name }) => name === 'sessionid')
  assert.ok(session, response.payload)
  return session.value
}

/** The cell of a row below the heading with this text. */
export async function cellOf(row: Locator, heading: string): Promise<Locator> {
  await row.waitFor()
  const headings = await row.locator('xpath=ancestor::table').getByRole('columnheader').allInnerTexts()
  const at = headings.indexOf(heading)
  assert.ok(at >= 0, `no column ${heading} among ${headings}`)
  return row.getByRole('gridcell').nth(at)
}

/** Makes sure that nothing on the page keeps anybody out (WCAG 2.2 AA), as far as a program can find that. */
export async function assertAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const findings = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      // no more than what is told below is worked out
      resultTypes: ['violations'],
      selectors: false,
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
  })
  assert.deepEqual(findings, [], await page.title())
}

const WIDTHS = { wide: 1440, tablet: 1024, phone: 390 }

/**
 * Where CONSOLE_PICTURES names a folder, pictures of the page are put there, at every width, light and dark, to be looked at. In any case
 * nothing of the page is wider than the window of a phone.
 */
export async function looksAt(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES
  const before = page.viewportSize()
  for (const [width, pixels] of Object.entries(WIDTHS)) {
    if (!folder && width !== 'phone') continue
    await page.setViewportSize({ width: pixels, height: width === 'phone' ? 844 : 900 })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    assert.ok(over <= 0, `${name} is ${over} pixels wider than a window of ${pixels}`)
    if (!folder) continue
    mkdirSync(folder, { recursive: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
