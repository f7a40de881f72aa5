import type { CDPSession, Page } from 'playwright-core'

// What is watched inside the browser.

/**
 * In the page, before anything of it is loaded. `armed(path)` begins to wait for a page of the console, so that nothing of it comes
 * unseen; `whole` tells when it was painted: all that it asked for has come, no row waits for its values, and the frame with them is done.
 * Keys count from when they are pressed: the console holds them back for a moment, as a scanner might type them.
 */
export const WATCH = `
  let key = 0
  addEventListener('keydown', (event) => { if (event.isTrusted) key = event.timeStamp }, { capture: true })
  let asked = 0
  const plain = window.fetch
  window.fetch = async (...given) => {
    asked++
    let isToBeRead = false
    try {
      const response = await plain(...given)
      isToBeRead = response.headers.get('content-type')?.includes('json') ?? false
      const json = response.json.bind(response)
      // what comes of it is drawn before the next task
      response.json = () => json().finally(() => setTimeout(() => { asked-- }))
      return response
    } finally {
      if (!isToBeRead) asked--
    }
  }
  const isFilled = () =>
    asked === 0 &&
    document.querySelector('main h1, main .empty') !== null &&
    document.querySelector('.waits') === null &&
    [...document.querySelectorAll('.table-frame')].every((table) => table.querySelector('tbody td, .empty'))
  const painted = (isThere) => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now())
    const look = () => requestAnimationFrame(() => (isThere() ? port2.postMessage(0) : look()))
    look()
  })
  let title
  window.arm = (path) => {
    const before = document.querySelector('main h1')
    window.whole = painted(() => location.pathname === path && document.querySelector('main h1') !== before && isFilled())
  }
  window.armHere = (isThere) => { window.whole = painted(() => isFilled() && (!isThere || isThere())) }
  window.sinceKey = () => window.whole.then((now) => now - key)
  window.sinceStart = () => painted(isFilled)
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

/** A frame of the compositor, as the trace of Chromium has it. */
type TraceEvent = { name: string; ts: number; args?: { chrome_frame_reporter?: { state?: string } } }

/** What a while of scrolling was like: frames that were shown, and that should have been; how long the main thread was held up, in milliseconds. */
export type Scrolling = { shown: number; dropped: number; longTasks: number[]; milliseconds: number }

/** Scrolls as a finger or wheel does, and takes a trace of it. @param pixels how far @param speed pixels a second */
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
  const states = (await stop()).map(({ args }) => args?.chrome_frame_reporter?.state)
  const longTasks = await page.evaluate<number[]>('longTasks')
  await session.detach()
  const shown = states.filter((state) => state?.startsWith('STATE_PRESENTED')).length
  const dropped = states.filter((state) => state === 'STATE_DROPPED').length
  return { shown, dropped, longTasks, milliseconds }
}

/** Begins a trace of frames. @returns what ends it, and gives what it has */
async function trace(session: CDPSession): Promise<() => Promise<TraceEvent[]>> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['cc', 'benchmark'] } })
  return async () => {
    const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await done
    return events.filter(({ name }) => name === 'PipelineReporter')
  }
}

/** What a tab holds once everything that nobody needs is gone. */
export type Held = { megabytes: number; nodes: number; listeners: number; documents: number }

export async function heldBy(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  for (let turn = 0; turn < 3; turn++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return {
    megabytes: value('JSHeapUsedSize') / 1e6,
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
    documents: value('Documents'),
  }
}

/** Kilobytes of script that a page loaded, as they came compressed. */
export const scriptOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`)
