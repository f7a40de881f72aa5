import type { CDPSession, Page } from 'playwright-core'

// Measurements taken inside the browser.

/** Milliseconds after which a page counts as broken. */
const TIMEOUT_MS = 30_000

/**
 * Runs in the page before anything else loads. `arm(path)` starts to wait for a page of the console before it is opened; `whole` resolves
 * when that page is painted: it has its title and content, no visible row waits for its values, and the frame is drawn. Times start when a
 * key is pressed: the console delays key presses briefly, as a scanner might be typing them.
 */
export const WATCH_SCRIPT = `
  let key = 0
  addEventListener('keydown', (event) => { if (event.isTrusted) key = event.timeStamp }, { capture: true })
  const isFilled = (selector) =>
    document.querySelector('main h1, main .empty') !== null &&
    (!selector || document.querySelector(selector) !== null) &&
    document.querySelector('.waits') === null &&
    [...document.querySelectorAll('.table-frame')].every((table) => table.querySelector('tbody td, .empty'))
  const painted = (isReady) => new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      // an open port keeps its listener in memory, and with it the previous page
      port1.close()
      resolve(performance.now())
    }
    const end = performance.now() + ${TIMEOUT_MS}
    const check = () => requestAnimationFrame(() => {
      if (isReady()) port2.postMessage(0)
      else if (performance.now() < end) check()
      else reject(new Error('not painted: ' + location.href))
    })
    check()
  })
  window.arm = (path, selector) => {
    const before = document.querySelector('main h1')
    window.whole = painted(() => location.pathname === path && document.querySelector('main h1') !== before && isFilled(selector))
  }
  window.armHere = (isReady) => { window.whole = painted(() => isFilled() && (!isReady || isReady())) }
  window.sinceKey = () => window.whole.then((now) => now - key)
  window.sinceStart = (selector) => painted(() => isFilled(selector))
  window.follow = (href, selector) => {
    const link = document.createElement('a')
    link.href = href
    document.body.append(link)
    arm(new URL(link.href).pathname, selector)
    link.click()
    link.remove()
    return whole
  }
  window.jump = async (part) => {
    const scroller = document.querySelector('.table-scroller')
    const start = performance.now()
    scroller.scrollTop = scroller.scrollHeight * part
    await new Promise(requestAnimationFrame)
    return (await painted(isFilled)) - start
  }
  window.longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
`

/** An event of a Chromium trace: a frame that was drawn, or one that was dropped. */
type TraceEvent = { name: string }

/** Result of a scroll: frames drawn and frames dropped; how long tasks blocked the main thread, in milliseconds. */
export type Scrolling = { drawn: number; dropped: number; longTasks: number[]; milliseconds: number }

/** Scrolls as a finger or wheel does, and records a trace of it. @param pixels distance @param speed pixels a second */
export async function scrollTraced(page: Page, pixels: number, speed: number): Promise<Scrolling> {
  const session = await page.context().newCDPSession(page)
  const box = await page.locator('.table-scroller').first().boundingBox()
  if (!box) throw new Error('there is no table')
  await page.evaluate('longTasks.length = 0')
  const stop = await trace(session)
  const began = performance.now()
  await session.send('Input.synthesizeScrollGesture', {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    yDistance: -pixels,
    speed,
    preventFling: true,
    gestureSourceType: 'mouse',
  })
  const milliseconds = performance.now() - began
  const frames = await stop()
  const longTasks = await page.evaluate<number[]>('longTasks')
  await session.detach()
  const drawn = frames.filter(({ name }) => name === 'DrawFrame').length
  const dropped = frames.filter(({ name }) => name === 'DroppedFrame').length
  return { drawn, dropped, longTasks, milliseconds }
}

/** Starts a trace of frames. @returns a function that ends it and returns its events */
async function trace(session: CDPSession): Promise<() => Promise<TraceEvent[]>> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline.frame'] },
  })
  return async () => {
    const tracingComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await tracingComplete
    return events
  }
}

/** Resources that a tab holds after garbage collection. */
export type MemoryUsage = { megabytes: number; nodes: number; listeners: number; documents: number }

export async function readMemoryUsage(page: Page): Promise<MemoryUsage> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  for (let turn = 0; turn < 3; turn++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const getMetric = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return {
    megabytes: getMetric('JSHeapUsedSize') / 1e6,
    nodes: getMetric('Nodes'),
    listeners: getMetric('JSEventListeners'),
    documents: getMetric('Documents'),
  }
}

/** Kilobytes of script that a page loaded, compressed as transferred. */
export const measureScript = (page: Page): Promise<number> =>
  page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`)
