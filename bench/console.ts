import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { unpack } from '../src/printing/browser/unpack.ts'
import { detailPages, listPages, type MeasuredPage } from './console-pages.ts'
import { readMemoryUsage, scriptOf, scrollTraced, WATCH_SCRIPT } from './console-watch.ts'
import { USER, withCachedDatabases } from './databases.ts'
import { datasetSizesOf } from './full-scale-data.ts'
import { LARGE_DATABASE } from './largest-data.ts'
import { formatTimes, timesOf, withService } from './service.ts'

/** Number of runs of each measurement; the first one loads pages and plans statements, and is not counted. */
const TIMES = 8
/** Page changes after which a tab has to hold as much as before, except for its cache. */
const CHANGES = 200
/** Limits in milliseconds, and kilobytes of script. */
const BUDGET = { first: 1_000, script: 200, page: 100, jump: 200, frame: 1_000 / 60 }
/** The page from which the others are opened. */
const START_PATH = '/notifications/'

type Row = { what: string; ms: string; budget: number; over: string }

const rowOf = (label: string, times: readonly number[], budget: number): Row => {
  const summary = timesOf(times)
  return { what: label, ms: formatTimes(summary), budget, over: summary.p50 > budget ? 'over' : '' }
}

/** Measures from entering an address to a painted page, with an empty browser cache. */
async function firstView(
  open: () => Promise<Page>,
  { name, path, readySelector: shows }: MeasuredPage,
): Promise<Row & { 'KB script': string }> {
  const times: number[] = []
  let script = 0
  for (let turn = 0; turn <= TIMES / 2; turn++) {
    const page = await open()
    await page.goto(path, { waitUntil: 'commit' })
    times.push(await page.evaluate<number>(`sinceStart(${JSON.stringify(shows)})`))
    script = await scriptOf(page)
    await page.context().close()
  }
  return { ...rowOf(name, times.slice(1), BUDGET.first), 'KB script': script.toFixed(0) }
}

/** Measures from the key that follows a link to the painted page. */
async function fromKey(page: Page, { name, path, readySelector: shows }: MeasuredPage): Promise<Row> {
  const times: number[] = []
  for (let turn = 0; turn <= TIMES; turn++) {
    await openStartPage(page)
    await page.evaluate(
      `(() => {
        const link = document.createElement('a')
        link.href = ${JSON.stringify(path)}
        document.querySelector('main').append(link)
        link.focus()
        arm(new URL(link.href).pathname, ${JSON.stringify(shows)})
      })()`,
    )
    await page.keyboard.press('Enter')
    times.push(await page.evaluate<number>('sinceKey()'))
  }
  return rowOf(name, times.slice(1), BUDGET.page)
}

/** Goes to a page that shows nothing of what is measured, without reloading the console. */
async function openStartPage(page: Page): Promise<void> {
  if (new URL(page.url()).pathname === START_PATH) return
  await page.keyboard.press('Escape')
  await page.evaluate(`follow('${START_PATH}')`)
  // work that the previous page left
  await page.waitForTimeout(100)
}

/** Measures from the second of two keys that open a page. */
async function byTwoKeys(page: Page, { name, path, readySelector: shows, keys = '' }: MeasuredPage): Promise<Row> {
  const times: number[] = []
  for (let turn = 0; turn <= TIMES; turn++) {
    await openStartPage(page)
    await page.evaluate(`arm('${new URL(path, 'http://x').pathname}', ${JSON.stringify(shows)})`)
    for (const key of keys.split(' ')) {
      await page.waitForTimeout(80)
      await page.keyboard.press(key)
    }
    times.push(await page.evaluate<number>('sinceKey()'))
  }
  return rowOf(`${name}, by ${keys}`, times.slice(1), BUDGET.page)
}

/** Writes a change and then opens the list that contains it: no cached copy of the list is valid. */
async function afterWrite(page: Page, item: number): Promise<Row> {
  const times: number[] = []
  for (let turn = 0; turn <= TIMES; turn++) {
    await openStartPage(page)
    const { status } = await page.evaluate<{ status: number }>(`fetch('/api/stock/add/', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify({ items: [{ pk: item, quantity: 1 }] })}'
    }).then(async (response) => { await response.json(); return { status: response.status } })`)
    if (status !== 201 && status !== 200) throw new Error(`a write was answered with ${status}`)
    await page.evaluate(`arm('/stock/')`)
    await page.waitForTimeout(80)
    await page.keyboard.press('g')
    await page.waitForTimeout(80)
    await page.keyboard.press('s')
    times.push(await page.evaluate<number>('sinceKey()'))
  }
  return rowOf('stock after a write, by g s', times.slice(1), BUDGET.page)
}

/** Measures from the last letter in Ctrl-K to the results; the console waits briefly for another letter. */
async function palette(page: Page, searchText: (turn: number) => string): Promise<Row> {
  const times: number[] = []
  for (let turn = 0; turn <= TIMES; turn++) {
    await openStartPage(page)
    await page.keyboard.press('Control+k')
    await page.locator('dialog.palette input').waitFor()
    await page.keyboard.type(searchText(turn), { delay: 80 })
    await page.evaluate(`armHere(() => [...document.querySelectorAll('.palette li')].some((one) => !one.id.includes('command')))`)
    times.push(await page.evaluate<number>('sinceKey()'))
    await page.keyboard.press('Escape')
    await page.locator('dialog.palette').waitFor({ state: 'detached' })
  }
  return rowOf('Ctrl-K, a rare word', times.slice(1), BUDGET.jump)
}

/** Measures from a drag of the scrollbar to filled rows: anywhere, or at the very end. */
async function jumps(page: Page, { name, path }: MeasuredPage): Promise<Row[]> {
  await page.goto(path)
  await page.evaluate('sinceStart()')
  const times: number[] = []
  for (let turn = 1; turn <= 2 * TIMES; turn++) times.push(await page.evaluate<number>(`jump(${((turn * 7) % 23) / 23})`))
  const ends: number[] = []
  for (let turn = 0; turn <= TIMES; turn++) {
    await page.goto(path)
    await page.evaluate('sinceStart()')
    await page.locator('table[role=grid]').focus()
    await page.waitForTimeout(80)
    await page.evaluate('armHere(() => document.querySelector(".table-scroller").scrollTop > 1000)')
    await page.keyboard.press('End')
    ends.push(await page.evaluate<number>('sinceKey()'))
  }
  return [rowOf(`${name}, a jump anywhere`, times, BUDGET.jump), rowOf(`${name}, to the end`, ends.slice(1), BUDGET.jump)]
}

/** Frames while a list is scrolled, slowly and quickly. */
async function scrolling(page: Page, { name, path }: MeasuredPage): Promise<object[]> {
  const rows: object[] = []
  for (const speed of [500, 2_000, 8_000]) {
    await page.goto(path)
    await page.evaluate('sinceStart()')
    const { drawn, dropped, longTasks, milliseconds } = await scrollTraced(page, speed * 4, speed)
    rows.push({
      list: name,
      'pixels a second': speed,
      'frames shown': drawn,
      dropped,
      'a second': ((1_000 * drawn) / milliseconds).toFixed(1),
      'long tasks': longTasks.length,
      'longest, ms': Math.max(0, ...longTasks).toFixed(0),
    })
  }
  return rows
}

const pathOf = (path: string): string => path.replace(/\?.*/, '')

/** Measures what a tab holds before and after many page changes. */
async function measureMemory(page: Page, pages: readonly MeasuredPage[]): Promise<object[]> {
  // one page per address: the same list in another order is not a different page
  const distinctPages = pages.filter(({ path }, at) => pages.findIndex((one) => pathOf(one.path) === pathOf(path)) === at)
  await page.goto(START_PATH)
  await page.evaluate('sinceStart()')
  const change = async (times: number) => {
    for (let turn = 0; turn < times; turn++) {
      const { path, readySelector: shows } = distinctPages[turn % distinctPages.length] as MeasuredPage
      await page.evaluate(`follow(${JSON.stringify(path)}, ${JSON.stringify(shows)})`)
    }
    await openStartPage(page)
    const { megabytes, ...counts } = await readMemoryUsage(page)
    return { megabytes: megabytes.toFixed(1), ...counts }
  }
  // every page once, so that all of them are loaded
  const before = await change(2 * distinctPages.length)
  const after = await change(CHANGES)
  return [
    { after: `${2 * distinctPages.length} page changes`, ...before },
    { after: `${CHANGES} more`, ...after },
  ]
}

/** Signs a browser in; each page starts with an empty cache. */
async function browserOf(browser: Browser, baseURL: string): Promise<() => Promise<Page>> {
  const signedIn: BrowserContext = await browser.newContext({ baseURL })
  await signedIn.request.post('/api/auth/login/', { data: USER })
  const storageState = await signedIn.storageState()
  await signedIn.close()
  return async () => {
    const context = await browser.newContext({ baseURL, storageState, viewport: { width: 1440, height: 900 } })
    await context.addInitScript(WATCH_SCRIPT)
    return context.newPage()
  }
}

const load = () => `load ${loadavg()[0]?.toFixed(1)}`

/**
 * npm run bench -- console [NAME]
 *
 * Measures the web console in a real browser, with 100,000 parts and 1,250,000 stock items: everything, or pages whose name contains NAME.
 */
export async function measureConsole(only = ''): Promise<void> {
  const sizes = datasetSizesOf(1_000_000)
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-browser-'))
  const { executable, fonts = '' } = await unpack(folder, 0, AbortSignal.timeout(120_000))
  const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'], env: { FONTCONFIG_FILE: fonts } })
  const lists = listPages().filter(({ name }) => name.includes(only))
  const details = detailPages(sizes).filter(({ name }) => name.includes(only))
  const isAsked = (name: string) => name.includes(only)
  try {
    await withCachedDatabases(LARGE_DATABASE, (withCopy) =>
      withCopy(sizes.items, (url) =>
        withService(url, 8985, async ({ base }) => {
          const open = await browserOf(browser, base)
          const first: object[] = []
          for (const one of [...lists.filter(({ keys }) => keys), ...details.slice(0, 1)]) first.push(await firstView(open, one))
          print('first view', first)
          const page = await open()
          await page.goto(START_PATH)
          await page.evaluate('sinceStart()')
          const another: object[] = []
          for (const one of [...lists, ...details]) another.push(await fromKey(page, one))
          for (const one of lists.filter(({ keys }) => keys)) another.push(await byTwoKeys(page, one))
          if (isAsked('after a write')) another.push(await afterWrite(page, 7))
          if (isAsked('palette')) another.push(await palette(page, (turn) => String(1 + turn * 7_919).padStart(6, '0')))
          print('another page, from the key', another)
          const tables = lists.filter(({ isLong }) => isLong)
          const jumped: object[] = []
          for (const one of tables) jumped.push(...(await jumps(page, one)))
          print('rows after a jump', jumped)
          const scrolled: object[] = []
          for (const one of tables) scrolled.push(...(await scrolling(page, one)))
          print('scrolling', scrolled)
          // it needs all pages, whatever name selects it
          if (isAsked('memory')) print('memory of the tab', await measureMemory(page, [...listPages(), ...detailPages(sizes)]))
        }),
      ),
    )
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function print(title: string, rows: readonly object[]): void {
  if (rows.length === 0) return
  console.log(`${title}; milliseconds are p50 / p99; ${load()}`)
  console.table(rows)
}
