import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()
/** Together they are higher than `MAX_LIST_HEIGHT_PX`, so that the scrollbar is scaled. */
const ROW_COUNT = 300_000
/** A statement with more rows takes too long on a slow machine, and is canceled. */
const BATCH_SIZE = 20_000
for (let first = 0; first < ROW_COUNT; first += BATCH_SIZE)
  await service.rows(
    `insert into company (name, description, currency)
     select 'Company ' || to_char(i, 'FM0000000'), 'One of very many', 'EUR' from generate_series($1::int, $2) i`,
    [first, first + BATCH_SIZE - 1],
  )
await service.rows('analyze company')

/** Returns the index of the first row in view. */
const getTopRow = (page: Page) =>
  page.evaluate(() => {
    const head = document.querySelector('thead')?.getBoundingClientRect().bottom ?? 0
    const rows = [...document.querySelectorAll('tbody tr')]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > head + 1)
    return Number(first?.getAttribute('aria-rowindex')) - 2
  })

const formatName = (row: number) => `Company ${String(row).padStart(7, '0')}`

describe('a table of very many rows', { skip: cannotBrowse }, () => {
  it('scrolls to its end and back, and row by row in small steps', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByText('300,000 rows').waitFor()
    await page.getByRole('link', { name: formatName(0) }).waitFor()

    const scroller = page.locator('.table-scroller')
    await scroller.hover()
    await page.mouse.wheel(0, 340)
    await page.waitForFunction(() => document.querySelector('tbody tr')?.getAttribute('aria-rowindex') !== '2')
    assert.equal(await getTopRow(page), 10)

    await page.keyboard.press('End')
    await page.getByRole('link', { name: formatName(ROW_COUNT - 1) }).waitFor()
    assert.equal(await page.locator('tr[aria-selected=true]').getAttribute('aria-rowindex'), String(ROW_COUNT + 1))
    const measureGaps = () =>
      page.evaluate(() => {
        const getBox = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() as DOMRect
        const window = getBox('.table-scroller')
        return [getBox('thead').top - window.top, window.bottom - getBox('tbody tr:last-child').bottom]
      })
    assert.deepEqual(await measureGaps(), [0, 0])
    await page.setViewportSize({ width: 1440, height: 1200 })
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 30)
    assert.deepEqual(await measureGaps(), [0, 0])
    await page.setViewportSize({ width: 1440, height: 900 })
    await capturePage(page, 'very-many')
    await page.mouse.wheel(0, -340)
    await page.getByRole('link', { name: formatName(ROW_COUNT - 25) }).waitFor()
    await page.keyboard.press('Home')
    await page.getByRole('link', { name: formatName(0) }).waitFor()
    assert.equal(await getTopRow(page), 0)
  })

  it('jumps to the position of the scrollbar, and restores it from a link', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('link', { name: formatName(0) }).waitFor()
    const scroller = page.locator('.table-scroller')
    await scroller.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2
    })
    await page.waitForFunction(() => Number(document.querySelector('tbody tr')?.getAttribute('aria-rowindex')) > 100_000)
    const row = await getTopRow(page)
    assert.ok(Math.abs(row - ROW_COUNT / 2) < ROW_COUNT / 1_000, String(row))
    await page.getByRole('link', { name: formatName(row + 3) }).click()
    await page.getByRole('heading', { name: formatName(row + 3) }).waitFor()
    const other = await openConsole(service, 'viewer', '/company/?at=170000')
    await other.getByRole('link', { name: formatName(170_000) }).waitFor()
    assert.equal(await getTopRow(other), 170_000)
    await assertAccessible(other)
  })

  it('fills in within 200 ms after a jump, and renders a step in less than a frame', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('link', { name: formatName(0) }).waitFor()
    const [jumpTime, stepTime] = await page.evaluate(async () => {
      const scroller = document.querySelector('.table-scroller') as HTMLElement
      const waitForFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const isFilled = () => document.querySelectorAll('tbody .waiting').length === 0
      const times: number[] = []
      for (let jump = 1; jump <= 5; jump++) {
        const start = performance.now()
        scroller.scrollTop = (scroller.scrollHeight * jump) / 7
        await waitForFrame()
        await waitForFrame()
        while (!isFilled()) await waitForFrame()
        times.push(performance.now() - start)
      }
      const steps: number[] = []
      for (let turn = 0; turn < 60; turn++) {
        scroller.scrollTop += 40
        const start = performance.now()
        scroller.dispatchEvent(new Event('scroll'))
        await Promise.resolve()
        steps.push(performance.now() - start)
        await waitForFrame()
      }
      const getMedian = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] as number
      return [getMedian(times), getMedian(steps)] as const
    })
    assert.ok(stepTime < 16, `a step takes ${stepTime.toFixed(1)} ms`)
    assert.ok(jumpTime < 1_000, `a jump takes ${jumpTime.toFixed()} ms`)
  })
})
