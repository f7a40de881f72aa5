import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const create = createObjectsAs(service.member)
const formatDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('the figures of the home page', { skip: cannotBrowse }, () => {
  before(async () => {
    const { parts, supplier } = await fillWorkshop(service)
    for (const [index, days] of [-2, -40, 0].entries()) {
      const reference = `PO-000${index + 1}`
      const pk = await create('/api/order/po/', { reference, supplier, target_date: formatDay(days - 1) })
      if (days === 0)
        await service.rows('update purchase_order set status = 30, complete_date = current_date where pk = $1', [pk])
    }
    for (const [days, cost] of [
      [90, 500],
      [60, 620],
      [30, 410],
    ] as const)
      await service.rows(
        `insert into part_stocktake (part, quantity, date, cost_min, cost_min_currency, cost_max, cost_max_currency)
         values ($1, 10, $2, $3, 'USD', $3, 'USD')`,
        [parts.resistor, formatDay(-days), cost],
      )
  })

  it('link to the lists behind them, with their data as a table and as a file', async () => {
    const page = await openConsole(service, 'superuser', '/')
    const figures = page.getByRole('region', { name: 'Figures' })
    await figures.getByText('2 purchase orders').waitFor()
    await figures.getByText(/Received this month/).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'home-figures')
    await figures.getByRole('button', { name: 'Data of Received this month' }).click()
    await figures.getByRole('cell', { name: formatDay(0).slice(0, 7) }).waitFor()
    await assertAccessible(page)
    const downloading = page.waitForEvent('download')
    await figures.getByRole('button', { name: 'Download data' }).click()
    assert.match(await readFile(await (await downloading).path(), 'utf8'), new RegExp(`${formatDay(0).slice(0, 7)},1\r\n$`))
    await page.keyboard.press('Escape')
    await figures.getByRole('link', { name: '2 purchase orders' }).click()
    await page.getByText('2 rows').waitFor()
    await page.goBack()
    await page.locator('.home-figure', { hasText: 'Received this month' }).getByRole('link', { name: '1', exact: true }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Completed after').inputValue(), page.url().slice(-10))
  })

  it('are hidden for one account', async () => {
    const page = await openConsole(service, 'superuser', '/')
    const figures = page.getByRole('region', { name: 'Figures' })
    await figures.getByText('Shipped this month').waitFor()
    await figures.getByRole('button', { name: 'Select figures' }).click()
    await figures.getByRole('checkbox', { name: 'Shipped this month' }).uncheck()
    await page.locator('.home-figure', { hasText: 'Shipped this month' }).waitFor({ state: 'detached' })
    await page.reload()
    await figures.getByText('Received this month').waitFor()
    assert.equal(await page.locator('.home-figure', { hasText: 'Shipped this month' }).count(), 0)
    const other = await openConsole(service, 'member', '/')
    await other.getByText('Shipped this month').waitFor()
  })
})
