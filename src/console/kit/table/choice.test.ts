import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { preparePrinting } from '../../../testing/printing.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService(await preparePrinting())
/** More rows than one request loads. */
const ROW_COUNT = 240
await service.rows(
  `insert into part (name, description) select 'Part ' || to_char(n, 'FM000'), 'One of many' from generate_series(1, $1) n`,
  [ROW_COUNT],
)

const findSelectionBar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
const waitForText = (page: Page, text: string) => findSelectionBar(page).getByText(text, { exact: true }).waitFor()
const findCheckbox = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select the row ${name}`, exact: true })
/** Reads the names of the selected parts that are in view. */
const readSelectedNames = (page: Page) => page.locator('tbody tr:has(input:checked) td:nth-child(2)').allTextContents()

describe('rows of a table', { skip: cannotBrowse }, () => {
  it('can be selected with checkboxes, in ranges, and all matching ones together', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await findCheckbox(page, 'Part 002').click()
    await waitForText(page, '1 row selected')
    assert.equal(new URL(page.url()).pathname, '/part/')
    await findCheckbox(page, 'Part 005').click({ modifiers: ['Shift'] })
    await waitForText(page, '4 rows selected')
    assert.deepEqual(await readSelectedNames(page), ['Part 002', 'Part 003', 'Part 004', 'Part 005'])
    // shrinks the range
    await findCheckbox(page, 'Part 003').click({ modifiers: ['Shift'] })
    await waitForText(page, '2 rows selected')
    await findCheckbox(page, 'Part 009').click()
    await waitForText(page, '3 rows selected')
    await findCheckbox(page, 'Part 002').click()
    await waitForText(page, '2 rows selected')
    assert.deepEqual(await readSelectedNames(page), ['Part 003', 'Part 009'])
    await assertAccessible(page)
    await capturePage(page, 'choice')

    // another order shows the same rows, other filters do not
    await page.getByRole('button', { name: 'Name' }).click()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL('**/part/?ordering=-name')
    await waitForText(page, '2 rows selected')
    await findSelectionBar(page).getByRole('button', { name: 'All 240 matching rows' }).click()
    await waitForText(page, '240 rows selected')
    assert.equal(
      await findSelectionBar(page)
        .getByRole('button', { name: /matching rows/ })
        .count(),
      0,
    )
    await page.keyboard.press('/')
    await page.keyboard.type('23')
    await page.getByText('13 rows', { exact: true }).waitFor()
    await findSelectionBar(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Select all matching rows' }).click()
    await waitForText(page, '13 rows selected')
    await findSelectionBar(page).getByRole('button', { name: 'Clear selection' }).click()
    await findSelectionBar(page).waitFor({ state: 'detached' })
    assert.deepEqual(await readSelectedNames(page), [])
  })

  it('can be selected by keys, including rows out of view', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await findCheckbox(page, 'Part 001').waitFor()
    await page.keyboard.press('Space')
    await waitForText(page, '1 row selected')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await waitForText(page, '3 rows selected')
    await page.keyboard.press('Shift+ArrowUp')
    await waitForText(page, '2 rows selected')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await waitForText(page, '3 rows selected')
    assert.deepEqual(await readSelectedNames(page), ['Part 001', 'Part 002', 'Part 004'])
    await page.keyboard.press('Escape')
    await findSelectionBar(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+a')
    await waitForText(page, '240 rows selected')
    // in a field it selects the text
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    assert.equal(await findSelectionBar(page).count(), 0)
    await page.keyboard.press('Escape')

    await findCheckbox(page, 'Part 010').click()
    await page.locator('.table-scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
    await findCheckbox(page, 'Part 240').click({ modifiers: ['Shift'] })
    await waitForText(page, '231 rows selected')
  })

  it('can have labels printed: for the selected rows, otherwise for the current one', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await findCheckbox(page, 'Part 003').click()
    await findCheckbox(page, 'Part 001').click()
    await findSelectionBar(page).getByRole('button', { name: 'Print labels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Print labels' })
    // the dialog lists the selected parts
    await dialog.getByText('Part 001', { exact: true }).waitFor()
    await dialog.getByText('Part 003', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'labels')
    await dialog.getByRole('button', { name: 'Print 2 labels' }).click()
    const link = dialog.getByRole('link', { name: 'Open PDF' })
    await link.waitFor({ timeout: scaleTimeout(60_000) })
    const file = await page.request.get(String(await link.getAttribute('href')))
    assert.equal((await file.body()).subarray(0, 5).toString(), '%PDF-')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // Escape closed only the window
    await waitForText(page, '2 rows selected')
    await page.keyboard.press('Escape')
    await findSelectionBar(page).waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    await dialog.getByRole('button', { name: 'Print 1 label', exact: true }).waitFor()
  })

  it('can be selected on a phone', async () => {
    const page = await openConsole(service, 'member', '/part/', { viewport: { width: 390, height: 844 }, hasTouch: true })
    await findCheckbox(page, 'Part 001').tap()
    await findCheckbox(page, 'Part 002').tap()
    await waitForText(page, '2 rows selected')
    await findSelectionBar(page).getByRole('button', { name: 'Print labels' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Print 2 labels' }).waitFor()
  })

  it('cannot be selected beyond the limit of the service', async () => {
    await service.rows(`insert into part (name, description) select 'Extra ' || n, '' from generate_series(1, 1000) n`)
    const page = await openConsole(service, 'member', '/part/')
    await page.getByRole('checkbox', { name: 'Select all matching rows' }).click()
    await page.getByText('You can select at most 1,000 rows. Narrow the list.').waitFor()
    assert.equal(await findSelectionBar(page).count(), 0)
    assert.ok(!(await page.getByRole('checkbox', { name: 'Select all matching rows' }).isChecked()))
  })

  it('have no checkboxes in tables without bulk actions', async () => {
    await service.member.post('/api/company/', { name: 'Brightwell Components' })
    const page = await openConsole(service, 'viewer', '/company/')
    await page.getByRole('link', { name: 'Brightwell Components' }).waitFor()
    assert.equal(await page.locator('table input[type=checkbox]').count(), 0)
  })
})
