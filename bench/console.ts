import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { unpackBrowser } from '../src/printing/browser/unpack.ts'
import { withDemoDatabase } from './console-demo.ts'
import { demoPages, detailPages, listPages, type MeasuredPage } from './console-pages.ts'
import { measureScript, readMemoryUsage, scrollTraced, WATCH_SCRIPT } from './console-watch.ts'
import { USER, withCachedDatabases } from './databases.ts'
import { getDatasetSizes } from './full-scale-data.ts'
import { LARGE_DATABASE } from './largest-data.ts'
import { formatTimes, summarizeTimes, withService } from './service.ts'

/** Number of runs of each measurement; the first one loads pages and plans statements, and is not counted. */
const RUNS = 8
/** Page changes after which a tab may use no more memory than before, except for its cache. */
const PAGE_CHANGES = 200
/** Limits in milliseconds, and kilobytes of script. */
const BUDGET = { first: 1_000, script: 200, page: 100, demo: 150, jump: 200, frame: 1_000 / 60 }
/** The page from which the others are opened. */
const START_PATH = '/notifications/'

type Row = { measurement: string; ms: string; budget: number; over: string }

const createRow = (label: string, times: readonly number[], budget: number): Row => {
  const summary = summarizeTimes(times)
  return { measurement: label, ms: formatTimes(summary), budget, over: summary.p50 > budget ? 'over' : '' }
}

/** Measures from entering an address to a painted page, with an empty browser cache. */
async function measureFirstView(
  open: () => Promise<Page>,
  { name, path, readySelector: selector }: MeasuredPage,
): Promise<Row & { 'KB script': string }> {
  const times: number[] = []
  let script = 0
  for (let run = 0; run <= RUNS / 2; run++) {
    const page = await open()
    await page.goto(path, { waitUntil: 'commit' })
    times.push(await page.evaluate<number>(`sinceStart(${JSON.stringify(selector)})`))
    script = await measureScript(page)
    await page.context().close()
  }
  return { ...createRow(name, times.slice(1), BUDGET.first), 'KB script': script.toFixed(0) }
}

/** Measures from the key that follows a link to the painted page. */
async function measureFromLink(
  page: Page,
  { name, path, readySelector: selector }: MeasuredPage,
  budget = BUDGET.page,
): Promise<Row> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    await openStartPage(page)
    await page.evaluate(
      `(() => {
        const link = document.createElement('a')
        link.href = ${JSON.stringify(path)}
        document.querySelector('main').append(link)
        link.focus()
        arm(new URL(link.href).pathname, ${JSON.stringify(selector)})
      })()`,
    )
    await page.keyboard.press('Enter')
    times.push(await page.evaluate<number>('sinceKey()'))
  }
  return createRow(name, times.slice(1), budget)
}

/** Opens a page without any measured content, without reloading the console. */
async function openStartPage(page: Page): Promise<void> {
  if (new URL(page.url()).pathname === START_PATH) return
  await page.keyboard.press('Escape')
  await page.evaluate(`follow('${START_PATH}')`)
  // work that the previous page left
  await page.waitForTimeout(100)
}

/** Measures from the second of two keys that open a page. */
async function measureFromShortcut(page: Page, { name, path, readySelector: selector, keys = '' }: MeasuredPage): Promise<Row> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    await openStartPage(page)
    await page.evaluate(`arm('${new URL(path, 'http://x').pathname}', ${JSON.stringify(selector)})`)
    for (const key of keys.split(' ')) {
      await page.waitForTimeout(80)
      await page.keyboard.press(key)
    }
    times.push(await page.evaluate<number>('sinceKey()'))
  }
  return createRow(`${name}, by ${keys}`, times.slice(1), BUDGET.page)
}

/** Writes a change and then opens the list that contains it: no cached copy of the list is valid. */
async function measureAfterWrite(page: Page, item: number): Promise<Row> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    await openStartPage(page)
    const { status } = await page.evaluate<{ status: number }>(`fetch('/api/stock/add/', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify({ items: [{ pk: item, quantity: 1 }] })}'
    }).then(async (response) => { await response.json(); return { status: response.status } })`)
    if (status !== 201 && status !== 200) throw new Error(`a write returned ${status}`)
    await page.evaluate(`arm('/stock/')`)
    await page.waitForTimeout(80)
    await page.keyboard.press('g')
    await page.waitForTimeout(80)
    await page.keyboard.press('s')
    times.push(await page.evaluate<number>('sinceKey()'))
  }
  return createRow('stock after a write, by g s', times.slice(1), BUDGET.page)
}

/** Measures from the last letter in Ctrl-K to the results; the console waits briefly for another letter. */
async function measurePalette(page: Page, searchText: (run: number) => string): Promise<Row> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    await openStartPage(page)
    await page.keyboard.press('Control+k')
    await page.locator('dialog.palette input').waitFor()
    await page.keyboard.type(searchText(run), { delay: 80 })
    await page.evaluate(
      `armHere(() => [...document.querySelectorAll('.palette [role=option]')].some((one) => !/-(command|page)-/.test(one.id)))`,
    )
    times.push(await page.evaluate<number>('sinceKey()'))
    await page.keyboard.press('Escape')
    await page.locator('dialog.palette').waitFor({ state: 'detached' })
  }
  return createRow('Ctrl-K, a rare word', times.slice(1), BUDGET.jump)
}

/** Measures from a drag of the scrollbar to filled rows: anywhere, or at the very end. */
async function measureJumps(page: Page, { name, path }: MeasuredPage): Promise<Row[]> {
  await page.goto(path)
  await page.evaluate('sinceStart()')
  const times: number[] = []
  for (let run = 1; run <= 2 * RUNS; run++) times.push(await page.evaluate<number>(`jump(${((run * 7) % 23) / 23})`))
  const ends: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    await page.goto(path)
    await page.evaluate('sinceStart()')
    await page.locator('table[role=grid]').focus()
    await page.waitForTimeout(80)
    await page.evaluate('armHere(() => document.querySelector(".table-scroller").scrollTop > 1000)')
    await page.keyboard.press('End')
    ends.push(await page.evaluate<number>('sinceKey()'))
  }
  return [createRow(`${name}, a jump anywhere`, times, BUDGET.jump), createRow(`${name}, to the end`, ends.slice(1), BUDGET.jump)]
}

/** Frames while a list is scrolled, slowly and quickly. */
async function measureScrolling(page: Page, { name, path }: MeasuredPage): Promise<object[]> {
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

const removeQuery = (path: string): string => path.replace(/\?.*/, '')

/** Measures the memory of a tab before and after many page changes. */
async function measureMemory(page: Page, pages: readonly MeasuredPage[]): Promise<object[]> {
  // one page per address: the same list in another order is not a different page
  const distinctPages = pages.filter(
    ({ path }, index) => pages.findIndex((measuredPage) => removeQuery(measuredPage.path) === removeQuery(path)) === index,
  )
  await page.goto(START_PATH)
  await page.evaluate('sinceStart()')
  const change = async (times: number) => {
    for (let run = 0; run < times; run++) {
      const { path, readySelector: selector } = distinctPages[run % distinctPages.length] as MeasuredPage
      await page.evaluate(`follow(${JSON.stringify(path)}, ${JSON.stringify(selector)})`)
    }
    await openStartPage(page)
    const { megabytes, ...counts } = await readMemoryUsage(page)
    return { megabytes: megabytes.toFixed(1), ...counts }
  }
  // every page once, so that all of them are loaded
  const before = await change(2 * distinctPages.length)
  const after = await change(PAGE_CHANGES)
  return [
    { after: `${2 * distinctPages.length} page changes`, ...before },
    { after: `${PAGE_CHANGES} more`, ...after },
  ]
}

/** Signs in. Returns a function that opens a page with an empty cache. */
async function createPageOpener(browser: Browser, baseURL: string): Promise<() => Promise<Page>> {
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

const formatLoad = () => `load ${loadavg()[0]?.toFixed(1)}`

/**
 * npm run bench -- console [NAME]
 *
 * Measures the web console in a real browser, with 100,000 parts and 1,250,000 stock items, and the settings with the demo data: everything,
 * or pages whose name contains NAME.
 */
export async function measureConsole(only = ''): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-browser-'))
  const { executable, fonts = '' } = await unpackBrowser(folder, 0, AbortSignal.timeout(120_000))
  const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'], env: { FONTCONFIG_FILE: fonts } })
  const ofDemo = demoPages().filter(({ name }) => name.includes(only))
  // NAME may select nothing of the large database, which takes long to make
  const isOnDemoOnly = only !== '' && ofDemo.length > 0
  try {
    if (ofDemo.length > 0) await measureOnDemo(browser, ofDemo)
    if (!isOnDemoOnly) await measureOnLargeDatabase(browser, only)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures pages with the demo data. */
const measureOnDemo = (browser: Browser, pages: readonly MeasuredPage[]): Promise<void> =>
  withDemoDatabase((url) =>
    withService(url, 8985, async ({ base }) => {
      const page = await openStart(await createPageOpener(browser, base))
      const rows: object[] = []
      for (const measuredPage of pages) rows.push(await measureFromLink(page, measuredPage, BUDGET.demo))
      print('page changes with the demo data, from the key press', rows)
    }),
  )

/** Opens the page from which the others are opened. */
async function openStart(open: () => Promise<Page>): Promise<Page> {
  const page = await open()
  await page.goto(START_PATH)
  await page.evaluate('sinceStart()')
  return page
}

async function measureOnLargeDatabase(browser: Browser, only: string): Promise<void> {
  const sizes = getDatasetSizes(1_000_000)
  const lists = listPages().filter(({ name }) => name.includes(only))
  const details = detailPages(sizes).filter(({ name }) => name.includes(only))
  const isSelected = (name: string) => name.includes(only)
  await withCachedDatabases(LARGE_DATABASE, (withCopy) =>
    withCopy(sizes.items, (url) =>
      withService(url, 8985, async ({ base }) => {
        const open = await createPageOpener(browser, base)
        const first: object[] = []
        for (const measuredPage of [...lists.filter(({ keys }) => keys), ...details.slice(0, 1)])
          first.push(await measureFirstView(open, measuredPage))
        print('first view', first)
        const page = await openStart(open)
        const pageRows: object[] = []
        for (const measuredPage of [...lists, ...details]) pageRows.push(await measureFromLink(page, measuredPage))
        for (const measuredPage of lists.filter(({ keys }) => keys)) pageRows.push(await measureFromShortcut(page, measuredPage))
        if (isSelected('after a write')) pageRows.push(await measureAfterWrite(page, 7))
        if (isSelected('palette')) pageRows.push(await measurePalette(page, (run) => String(1 + run * 7_919).padStart(6, '0')))
        print('page changes, from the key press', pageRows)
        const tables = lists.filter(({ isLong }) => isLong)
        const jumpRows: object[] = []
        for (const measuredPage of tables) jumpRows.push(...(await measureJumps(page, measuredPage)))
        print('rows after a jump', jumpRows)
        const scrollRows: object[] = []
        for (const measuredPage of tables) scrollRows.push(...(await measureScrolling(page, measuredPage)))
        print('scrolling', scrollRows)
        // measures all pages, whatever NAME is
        if (isSelected('memory')) print('memory of the tab', await measureMemory(page, [...listPages(), ...detailPages(sizes)]))
      }),
    ),
  )
}

function print(title: string, rows: readonly object[]): void {
  if (rows.length === 0) return
  console.log(`${title}; milliseconds are p50 / p99; ${formatLoad()}`)
  console.table(rows)
}
