import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { runAfterAllFiles } from '../../testing/after-all-files.ts'
import { type CallerName, PASSWORD, type TestService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { openBrowser } from './browser.ts'

export { printingUnsupported as cannotBrowse } from '../../testing/printing.ts'

/** Milliseconds between two keys, and before Enter or Tab at the end of an input: evenly timed, it would be taken for a scan. */
const KEY_INTERVAL_MS = 60
const END_KEY_INTERVAL_MS = 250

/** Timeout of a step of a test, in milliseconds. */
const STEP_TIMEOUT_MS = scaleTimeout(30_000)

/**
 * Maximum random delay of responses, from CONSOLE_SLOW in milliseconds: a test that fails with it depends on a fast machine, or the console
 * on a slow user.
 */
const MAX_RESPONSE_DELAY_MS = Number(process.env.CONSOLE_SLOW ?? 0)

/** The video shown by the camera of the browser, if it has one. */
let film: string | undefined

/** Gives the browser of this test file a camera, before it is opened. @param path the video that it shows: see `filmCode` in camera.ts */
export function setCameraFilm(path: string): void {
  film = path
  after(() => {
    film = undefined
  })
}

/** The open browsers, by the video of their camera. */
const browsersByFilm = new Map<string | undefined, Promise<Browser>>()
runAfterAllFiles(() => Promise.all([...browsersByFilm.values()].map(async (browser) => (await browser).close())))

/** The browser of a test file, shared within its process: each page has its own cookies and storage. */
function getBrowser(): Promise<Browser> {
  const open = browsersByFilm.get(film) ?? openBrowser(film)
  browsersByFilm.set(film, open)
  return open
}

/** The requests of a page: how many have started, and those without a response. */
type Traffic = { started: number; readonly open: Set<Request> }
const trafficByPage = new WeakMap<Page, Traffic>()

/** Counts the requests of a page, for `waitUntilLoaded`. */
function countRequests(page: Page): void {
  const traffic: Traffic = { started: 0, open: new Set() }
  trafficByPage.set(page, traffic)
  page.on('request', (request) => {
    traffic.started++
    traffic.open.add(request)
  })
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => traffic.open.delete(request))
}

/** Number of consecutive frames without a request after which a page has loaded. */
const QUIET_FRAMES = 3

/** Waits until a page of `openConsole` has received and rendered all that it requests. Unlike `networkidle`, it does not wait for half a second more. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  const traffic = trafficByPage.get(page)
  assert.ok(traffic, 'not opened by openConsole')
  for (let quietFrames = 0; quietFrames < QUIET_FRAMES; ) {
    const { started } = traffic
    await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))
    quietFrames = traffic.open.size === 0 && traffic.started === started ? quietFrames + 1 : 0
  }
}

/** The URL that a service of the tests listens on. */
export const getServiceUrl = (service: TestService, host = '127.0.0.1'): string =>
  `http://${host}:${(service.app.server.address() as AddressInfo).port}`

/**
 * Opens the console of a service in a separate browser context, signed in as one of the test callers. A script error fails the test.
 * @param path the page to open
 * @param options.host host name in the URL, such as `OTHER_HOST` of browser.ts; by default 127.0.0.1
 */
export async function openConsole(
  service: TestService,
  caller: CallerName = 'member',
  path = '/',
  { host, ...options }: BrowserContextOptions & { host?: string } = {},
): Promise<Page> {
  const baseURL = getServiceUrl(service, host)
  const context = await (await getBrowser()).newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // a service worker would cache the console between the test and the network
    serviceWorkers: 'block',
    ...options,
  })
  if (caller !== 'anonymous')
    await context.addCookies([{ name: 'sessionid', value: await signInCaller(service, caller), url: baseURL }])
  if (MAX_RESPONSE_DELAY_MS > 0)
    await context.route('**/api/**', async (route) => {
      await setTimeout(Math.random() * MAX_RESPONSE_DELAY_MS)
      await route.continue().catch(() => undefined)
    })
  const page = await context.newPage()
  countRequests(page)
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  // types at human pace: faster input would be a scan
  const { keyboard } = page
  const [type, press] = [keyboard.type.bind(keyboard), keyboard.press.bind(keyboard)]
  let hasTyped = false
  keyboard.type = (text, options) => {
    hasTyped = true
    return type(text, { delay: KEY_INTERVAL_MS, ...options })
  }
  keyboard.press = async (key, options) => {
    await page.waitForTimeout(hasTyped && /^(Enter|Tab)$/.test(key) ? END_KEY_INTERVAL_MS : KEY_INTERVAL_MS)
    hasTyped = false
    return press(key, options)
  }
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    // the browser logs unsuccessful responses by itself
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

/** Signs a caller in, and returns the session. */
async function signInCaller(service: TestService, username: CallerName): Promise<string> {
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { username, password: PASSWORD },
  })
  const session = response.cookies.find(({ name }) => name === 'sessionid')
  assert.ok(session, response.payload)
  return session.value
}

/** The cell of a row in the column with this heading. */
export async function findCell(row: Locator, heading: string): Promise<Locator> {
  await row.waitFor()
  const headings = await row.locator('xpath=ancestor::table').getByRole('columnheader').allInnerTexts()
  const columnIndex = headings.indexOf(heading)
  assert.ok(columnIndex >= 0, `no column ${heading} among ${headings}`)
  return row.getByRole('gridcell').nth(columnIndex)
}

/** Asserts that the page has no accessibility violations (WCAG 2.2 AA) that a program can find. */
export async function assertAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const findings = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      // computes only the data reported below
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
 * Stores screenshots of the page in the folder CONSOLE_PICTURES, if that is set, at every width, light and dark. Always asserts that the
 * page is not wider than a phone.
 */
export async function capturePage(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES
  const before = page.viewportSize()
  for (const [width, pixels] of Object.entries(WIDTHS)) {
    if (!folder && width !== 'phone') continue
    await page.setViewportSize({ width: pixels, height: width === 'phone' ? 844 : 900 })
    const excessWidth = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    assert.ok(excessWidth <= 0, `${name} is ${excessWidth} pixels wider than a window of ${pixels}`)
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
