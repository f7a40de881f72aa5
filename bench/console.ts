import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { unpack } from '../src/printing/browser/unpack.ts'
import { USER, withKept } from './kept.ts'
import { shown, timesOf, withService } from './service.ts'
import { fillWhole } from './whole-data.ts'

/** How often each thing is done. */
const TIMES = 10

/** In the page, before anything of it is loaded: says when something was painted, in milliseconds since the page or since the last key. */
const WATCH = `
  let key = 0
  addEventListener('keydown', (event) => { key = event.timeStamp }, { capture: true })
  window.painted = (isThere, since = () => 0) => new Promise((resolve) => {
    const look = () => {
      if (!isThere()) return requestAnimationFrame(look)
      requestAnimationFrame(() => resolve(performance.now() - since()))
    }
    look()
  })
  window.sinceKey = () => key
  window.isFilled = () => document.querySelector('tbody tr td') !== null && document.querySelector('tbody .waits') === null
`

/** From the address that is entered to rows that are painted, with nothing remembered by the browser. */
async function firstView(open: () => Promise<Page>): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < TIMES; turn++) {
    const page = await open()
    await page.goto('/stock/')
    times.push(await page.evaluate<number>('painted(isFilled)'))
    await page.context().close()
  }
  return times
}

/** From the last key to the rows of another page. */
async function anotherPage(page: Page, keys: readonly string[], path: string): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < TIMES; turn++) {
    await page.goto('/notifications/')
    await page.locator('h1').waitFor()
    for (const key of keys) await page.keyboard.press(key)
    times.push(await page.evaluate<number>(`painted(() => location.pathname === '${path}' && isFilled(), sinceKey)`))
  }
  // the first time, the room itself is loaded
  return times.slice(1)
}

/** From a pull at the scrollbar to rows that are filled in. */
async function jumps(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let turn = 1; turn <= TIMES; turn++)
    times.push(
      await page.evaluate<number>(`(async () => {
        const scroller = document.querySelector('.table-scroller')
        const start = performance.now()
        scroller.scrollTop = scroller.scrollHeight * ${turn} / ${TIMES + 1}
        await new Promise(requestAnimationFrame)
        return painted(isFilled, () => start)
      })()`),
    )
  return times
}

/** How long each frame takes while the list is scrolled. */
const frames = (page: Page): Promise<number[]> =>
  page.evaluate(`(async () => {
    const scroller = document.querySelector('.table-scroller')
    const times = []
    let before = await new Promise(requestAnimationFrame)
    for (let turn = 0; turn < 240; turn++) {
      scroller.scrollTop += 40
      const now = await new Promise(requestAnimationFrame)
      times.push(now - before)
      before = now
    }
    return times
  })()`)

/**
 * npm run bench -- console [ITEMS]
 *
 * What the console takes in a real browser, with a million stock items and a tenth as many parts unless ITEMS says otherwise.
 */
export async function measureConsole(items = '1000000'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-browser-'))
  const { executable, fonts = '' } = await unpack(folder, 0, AbortSignal.timeout(120_000))
  const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'], env: { FONTCONFIG_FILE: fonts } })
  const table: object[] = []
  const tell = (what: string, times: number[], budget: string) => table.push({ what, 'p50 / p99': shown(timesOf(times)), budget })
  await withKept({ group: 'whole', files: ['whole-data.ts', 'data.ts'], fill: fillWhole }, (withCopy) =>
    withCopy(Number(items), (url) =>
      withService(url, 8985, async ({ base: baseURL }) => {
        const signedIn = await browser.newContext({ baseURL })
        await signedIn.request.post('/api/auth/login/', { data: USER })
        const storageState = await signedIn.storageState()
        const open = async () => {
          const context = await browser.newContext({ baseURL, storageState, viewport: { width: 1440, height: 900 } })
          await context.addInitScript(WATCH)
          return context.newPage()
        }
        tell('first view, stock', await firstView(open), '1000')
        const page = await open()
        tell('stock, from the key', await anotherPage(page, ['g', 's'], '/stock/'), '100')
        tell('companies, from the key', await anotherPage(page, ['g', 'c'], '/company/'), '100')
        await page.goto('/stock/')
        await page.evaluate('painted(isFilled)')
        tell('a jump in the list of stock', await jumps(page), '200')
        tell('a frame while it is scrolled', await frames(page), '16.7')
      }),
    ),
  )
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
  console.log('milliseconds')
  console.table(table)
}
