import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()
/** Together they are higher than `HIGHEST`, so that the scrollbar is scaled. */
const ROWS = 300_000
/** A statement with more of them takes too long on a slow machine, and is canceled. */
const BATCH_SIZE = 20_000
for (let first = 0; first < ROWS; first += BATCH_SIZE)
  await service.rows(
    `insert into company (name, description, currency)
     select 'Company ' || to_char(i, 'FM0000000'), 'One of very many', 'EUR' from generate_series($1::int, $2) i`,
    [first, first + BATCH_SIZE - 1],
  )
await service.rows('analyze company')

/** The number of the first row in view. */
const onTop = (page: Page) =>
  page.evaluate(() => {
    const head = document.querySelector('thead')?.getBoundingClientRect().bottom ?? 0
    const rows = [...document.querySelectorAll('tbody tr')]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > head + 1)
    return Number(first?.getAttribute('aria-rowindex')) - 2
  })

const number = (row: number) => `Company ${String(row).padStart(7, '0')}`

describe('a table of very many rows', { skip: cannotBrowse }, () => {
  it('scrolls to its end and back, and shows every row between in small steps', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByText('300,000 rows').waitFor()
    await page.getByRole('link', { name: number(0) }).waitFor()

    const scroller = page.locator('.table-scroller')
    await scroller.hover()
    await page.mouse.wheel(0, 340)
    await page.waitForFunction(() => document.querySelector('tbody tr')?.getAttribute('aria-rowindex') !== '2')
    assert.equal(await onTop(page), 10)

    await page.keyboard.press('End')
    await page.getByRole('link', { name: number(ROWS - 1) }).waitFor()
    assert.equal(await page.locator('tr[aria-selected=true]').getAttribute('aria-rowindex'), String(ROWS + 1))
    const ends = () =>
      page.evaluate(() => {
        const of = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() as DOMRect
        const window = of('.table-scroller')
        return [of('thead').top - window.top, window.bottom - of('tbody tr:last-child').bottom]
      })
    assert.deepEqual(await ends(), [0, 0])
    await page.setViewportSize({ width: 1440, height: 1200 })
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 30)
    assert.deepEqual(await ends(), [0, 0])
    await page.setViewportSize({ width: 1440, height: 900 })
    await capturePage(page, 'very-many')
    await page.mouse.wheel(0, -340)
    await page.getByRole('link', { name: number(ROWS - 25) }).waitFor()
    await page.keyboard.press('Home')
    await page.getByRole('link', { name: number(0) }).waitFor()
    assert.equal(await onTop(page), 0)
  })

  it('jumps to the position of the scrollbar, and restores it from a link', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('link', { name: number(0) }).waitFor()
    const scroller = page.locator('.table-scroller')
    await scroller.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2
    })
    await page.waitForFunction(() => Number(document.querySelector('tbody tr')?.getAttribute('aria-rowindex')) > 100_000)
    const row = await onTop(page)
    assert.ok(Math.abs(row - ROWS / 2) < ROWS / 1_000, String(row))
    await page.getByRole('link', { name: number(row + 3) }).click()
    await page.getByRole('heading', { name: number(row + 3) }).waitFor()
    const other = await openConsole(service, 'viewer', '/company/?at=170000')
    await other.getByRole('link', { name: number(170_000) }).waitFor()
    assert.equal(await onTop(other), 170_000)
    await assertAccessible(other)
  })

  it('fills in within 200 ms after a jump, and renders a step in less than a frame', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('link', { name: number(0) }).waitFor()
    const [filled, step] = await page.evaluate(async () => {
      const scroller = document.querySelector('.table-scroller') as HTMLElement
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const isFilled = () => document.querySelectorAll('tbody .waiting').length === 0
      const times: number[] = []
      for (let jump = 1; jump <= 5; jump++) {
        const start = performance.now()
        scroller.scrollTop = (scroller.scrollHeight * jump) / 7
        await frame()
        await frame()
        while (!isFilled()) await frame()
        times.push(performance.now() - start)
      }
      const steps: number[] = []
      for (let turn = 0; turn < 60; turn++) {
        scroller.scrollTop += 40
        const start = performance.now()
        scroller.dispatchEvent(new Event('scroll'))
        await Promise.resolve()
        steps.push(performance.now() - start)
        await frame()
      }
      const middle = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] as number
      return [middle(times), middle(steps)] as const
    })
    assert.ok(step < 16, `a step takes ${step.toFixed(1)} ms`)
    assert.ok(filled < 1_000, `a jump takes ${filled.toFixed()} ms`)
  })
})
