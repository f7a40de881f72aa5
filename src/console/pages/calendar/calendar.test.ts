import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const create = createObjectsAs(service.member)

describe('the calendar', { skip: cannotBrowse }, () => {
  let order: number
  let build: number
  before(async () => {
    const { parts, supplier } = await fillWorkshop(service)
    order = await create('/api/order/po/', { reference: 'PO-0001', supplier, target_date: '2031-05-14' })
    for (let number = 2; number < 9; number++)
      await create('/api/order/po/', { reference: `PO-000${number}`, supplier, target_date: '2031-05-20' })
    await create('/api/order/po/', { reference: 'PO-0009', supplier, target_date: '2031-07-20' })
    build = await create('/api/build/', {
      reference: 'BO-0001',
      part: parts.board,
      quantity: 3,
      title: 'Boards',
      start_date: '2031-05-10',
      target_date: '2031-05-21',
    })
  })
  const readDay = async (path: string) => (await service.member.get(path)).body.target_date
  const URL = '/calendar/?day=2031-05-15'

  it('moves an order to another day by dragging, and back', async () => {
    const page = await openConsole(service, 'member', URL)
    const cell = (day: string) => page.locator('.calendar-grid td', { has: page.locator(`time[datetime="${day}"]`) })
    const entry = page.locator('.calendar-grid').getByRole('link', { name: /PO-0001/ })
    await entry.waitFor()
    await cell('2031-05-20').getByRole('link', { name: '3 more' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'calendar')
    await entry.dragTo(cell('2031-05-16'))
    await page.getByText('PO-0001 moved to', { exact: false }).waitFor()
    await cell('2031-05-16')
      .getByRole('link', { name: /PO-0001/ })
      .waitFor()
    assert.equal(await readDay(`/api/order/po/${order}/`), '2031-05-16')
    await page.getByRole('button', { name: 'Undo' }).click()
    await cell('2031-05-14')
      .getByRole('link', { name: /PO-0001/ })
      .waitFor()
    assert.equal(await readDay(`/api/order/po/${order}/`), '2031-05-14')
    await cell('2031-05-20').getByRole('link', { name: '3 more' }).click()
    await page.getByRole('link', { name: /PO-0008/ }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'calendar-week')
  })

  it('moves by keys, keeps the focus, and reports a rejection', async () => {
    const page = await openConsole(service, 'member', URL)
    const entry = page.locator('.calendar-grid').getByRole('link', { name: /BO-0001/ })
    await entry.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await page.getByText('BO-0001 moved to').waitFor()
    assert.equal(await readDay(`/api/build/${build}/`), '2031-05-20')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-entry')?.startsWith('build-'))
    await page.keyboard.press('Shift+ArrowUp')
    await page
      .locator('td', { has: page.locator('time[datetime="2031-05-13"]') })
      .getByRole('link', { name: /BO-0001/ })
      .waitFor()
    await page.keyboard.press('Shift+ArrowUp')
    await page.getByText('The target date must be after the start date').waitFor()
    assert.equal(await readDay(`/api/build/${build}/`), '2031-05-13')
    await page
      .getByRole('link', { name: /BO-0001/ })
      .first()
      .waitFor()
    await page.getByLabel('Build orders').uncheck()
    await entry.waitFor({ state: 'detached' })
    assert.match(page.url(), /kinds=purchase_order/)
  })

  it('moves nothing without the permission', async () => {
    const page = await openConsole(service, 'viewer', URL)
    const entry = page.locator('.calendar-grid').getByRole('link', { name: /PO-0001/ })
    await entry.waitFor()
    assert.equal(await entry.getAttribute('draggable'), 'false')
    await entry.focus()
    await page.keyboard.press('Shift+ArrowRight')
    assert.equal(await readDay(`/api/order/po/${order}/`), '2031-05-14')
  })

  it('is a list on a phone, with a field that moves an order', async () => {
    const page = await openConsole(service, 'member', URL)
    await page.setViewportSize({ width: 390, height: 844 })
    const field = page.getByLabel('Target date of PO-0001')
    await field.waitFor()
    await assertAccessible(page)
    await field.fill('2031-05-15')
    await page.getByText('PO-0001 moved to').waitFor()
    assert.equal(await readDay(`/api/order/po/${order}/`), '2031-05-15')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Nothing is due in this period').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('link', { name: /PO-0009/ }).waitFor()
  })
})
