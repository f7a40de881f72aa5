import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { cannotBrowse, consoleOf, looksAt } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { member } = service
const { places, parts, items, supplier } = await fillWorkshop(service)

const made = async (path: string, body: object) => {
  const { status, body: answer, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return answer
}

describe('who stores goods', { skip: cannotBrowse }, () => {
  it('reads in the history how much was delivered together, and how much there was after a change alone', async () => {
    const order = (await made('/api/order/po/', { supplier, reference: 'PO-0001' })).pk
    const reel = (await member.get(`/api/company/part/?part=${parts.resistor}`)).body.results[0].pk
    const line = (await made('/api/order/po-line/', { order, part: reel, quantity: 2 })).pk
    await made(`/api/order/po/${order}/issue/`, {})
    await made(`/api/order/po/${order}/receive/`, { location: places.bench, items: [{ line_item: line, quantity: 2 }] })
    const [received] = (await member.get(`/api/stock/?purchase_order=${order}`)).body.results
    const page = await consoleOf(service, 'member', `/stock/item/${received.pk}/`)
    const newest = page.locator('.timeline li').first()
    // two packs of 5,000
    await newest.getByText('delivery of 2', { exact: true }).waitFor()
    assert.equal(await page.getByText(/^then /).count(), 0)
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Count' }).waitFor()
    await page.keyboard.type('9990')
    await page.keyboard.press('Enter')
    await newest.getByText('9,990', { exact: true }).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: 'Remove' }).waitFor()
    await page.keyboard.type('90')
    await page.keyboard.press('Enter')
    await newest.getByText('then 9,900', { exact: true }).waitFor()
    await looksAt(page, 'stock-history')
  })
})
