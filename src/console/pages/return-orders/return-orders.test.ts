import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createKeyCounter } from '../../testing/keys.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { member } = service

const create = createObjectsAs(member)
const customer = await create('/api/company/', { name: 'Songbird Audio', is_customer: true, currency: 'EUR' })
const category = await create('/api/part/category/', { name: 'Instruments' })
const shelf = await create('/api/stock/location/', { name: 'Repair shelf' })
const part = await create('/api/part/', {
  name: 'Wren, the pocket synthesizer',
  description: 'Two octaves, walnut or ash, with a strap for the road',
  category,
  salable: true,
  trackable: true,
})

/** Creates items with these serial numbers that the customer has. */
async function createSoldItems(...serials: string[]): Promise<number[]> {
  await create('/api/stock/', { part, quantity: serials.length, serial_numbers: serials.join(','), location: shelf })
  const { body } = await member.get(`/api/stock/?part=${part}&ordering=pk&limit=500`)
  const items = serials.map((serial) => body.results.find((item: { serial: string }) => item.serial === serial).pk)
  const assignment = await member.post('/api/stock/assign/', { items: items.map((item) => ({ item })), customer })
  assert.equal(assignment.status, 201, assignment.text)
  return items
}
let lastNumber = 0

/** Creates an order with a line for each of these items. */
async function createOrder(items: number[], { isIssued = true } = {}): Promise<number> {
  const order = await create('/api/order/ro/', { reference: `RMA-${1000 + ++lastNumber}`, customer, description: 'It rattles' })
  for (const item of items) await create('/api/order/ro-line/', { order, item, notes: 'The third key sticks' })
  if (isIssued) assert.equal((await member.post(`/api/order/ro/${order}/issue/`)).status, 201)
  return order
}
type Line = { item: number; received_date: string | null; outcome: number; notes: string }
const readLines = async (pk: number): Promise<Line[]> =>
  (await member.get(`/api/order/ro-line/?order=${pk}&limit=50`)).body.results
const formatCode = (item: number) => JSON.stringify({ stockitem: item })

describe('the return order pages', { skip: cannotBrowse }, () => {
  it('show an empty state that explains return orders', async () => {
    const other = await testService()
    const page = await openConsole(other, 'member', '/order/return-order/')
    await page.getByText('No returns yet').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'returns-empty')
  })

  it("create and issue an order by keyboard: the order, its items, and the customer's remarks", async () => {
    const [item] = await createSoldItems('W-201')
    const page = await openConsole(service, 'member', '/')
    await page.locator('main h1').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'New return' }).first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByLabel('Customer', { exact: true }).waitFor()
    await assertAccessible(page)
    await page.keyboard.type('song')
    await page.getByRole('option', { name: /Songbird/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/return-order\/\d+\/$/)
    // the list and its shortcuts remain until the order is loaded
    await page.getByRole('combobox', { name: 'Add item' }).waitFor()
    await page.keyboard.press('a')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('W-201')
    await page.getByRole('option', { name: /#W-201/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('td.editing').locator('input, textarea').waitFor()
    await page.keyboard.type('Hums when it is warm')
    await page.keyboard.press('Enter')
    await page.locator('td:not(.editing)').getByText('Hums when it is warm').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('i')
    await page.getByRole('dialog').getByText('You can then receive the items.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('In progress', { exact: true }).waitFor()
    const pk = Number(/(\d+)\/$/.exec(page.url())?.[1])
    assert.deepEqual(
      (await readLines(pk)).map((line) => [line.item, line.notes]),
      [[item, 'Hums when it is warm']],
    )
    await assertAccessible(page)
  })

  it('receive items, set their outcomes and complete the order in 11 keys', async () => {
    const items = await createSoldItems('W-211', 'W-212', 'W-213')
    const pk = await createOrder(items)
    const page = await openConsole(service, 'member', `/order/return-order/${pk}/`)
    await page.getByRole('button', { name: 'Receive', exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'return-order')
    const keys = createKeyCounter(page)
    await keys.press('r')
    const dialog = page.getByRole('dialog', { name: 'Receive' })
    await dialog.locator('input:focus').waitFor()
    await keys.type('repair')
    await page.getByRole('option', { name: 'Repair shelf' }).waitFor()
    await keys.press('Enter')
    await dialog.getByLabel('Outcome for Wren, the pocket synthesizer #W-211').selectOption('Repair')
    await dialog.getByRole('checkbox', { name: /W-213/ }).uncheck()
    await assertAccessible(page)
    await capturePage(page, 'return-take-back')
    await keys.press('Control+Enter')
    await page.getByText('2 items received').first().waitFor()
    const lines = await readLines(pk)
    assert.deepEqual(
      lines.map(({ received_date, outcome }) => [received_date !== null, outcome]),
      [
        [true, 30],
        [true, 10],
        [false, 10],
      ],
    )
    const { body: item } = await member.get(`/api/stock/${items[0]}/`)
    assert.deepEqual([item.location, item.customer, item.status], [shelf, null, 75])
    // the page was reloaded
    await page.locator('td .done').nth(1).waitFor()
    await page.getByText('Outstanding').waitFor()
    await keys.press('c')
    await page.getByRole('dialog').getByText('1 item has not been received').waitFor()
    await page.getByRole('dialog').getByText('1 received item has no outcome yet.').waitFor()
    await keys.press('Enter')
    await page.locator('.badge', { hasText: 'Complete' }).waitFor()
    assert.equal(keys.pressed, 11)
    assert.equal((await member.get(`/api/order/ro/${pk}/`)).body.status, 30)
    await assertAccessible(page)
    await capturePage(page, 'return-complete')
  })

  it('add a scanned item to a pending order, and receive it in an issued one', async () => {
    const [item, second, third] = await createSoldItems('W-221', 'W-222', 'W-223')
    const pk = await createOrder([second as number], { isIssued: false })
    const page = await openConsole(service, 'member', `/order/return-order/${pk}/`)
    await page.getByRole('grid', { name: 'Lines' }).waitFor()
    // in quick succession: each gets its line
    await scanCode(page, formatCode(item as number))
    await scanCode(page, formatCode(third as number))
    await page.getByRole('link', { name: '#W-223' }).waitFor()
    await scanCode(page, formatCode(second as number))
    await page.getByText('already in the return').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(
      (await readLines(pk)).map((line) => line.item),
      [second, item, third],
    )
    // a scan does not close a form; a letter would start editing the cell
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Edit return' }).getByLabel('Reference', { exact: true }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus()
    await scanCode(page, JSON.stringify({ part }))
    await page.getByText('Save or close the form first').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('i')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('In progress', { exact: true }).waitFor()
    await scanCode(page, formatCode(second as number))
    const dialog = page.getByRole('dialog', { name: 'Receive' })
    await dialog.getByRole('checkbox', { name: /W-222/, checked: true }).waitFor()
    assert.equal(await dialog.getByRole('checkbox', { checked: true }).count(), 1)
    await scanCode(page, formatCode(item as number))
    await dialog.getByRole('checkbox', { name: /W-221/, checked: true }).waitFor()
    // nothing is received without a location
    await dialog.getByRole('button', { name: 'Receive 2 items' }).click()
    await dialog.getByText('Select a location.').waitFor()
    await dialog.getByLabel('Location for all').and(page.locator(':focus')).waitFor()
    await scanCode(page, JSON.stringify({ stocklocation: shelf }))
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#take-back-place')?.value === 'Repair shelf')
    await dialog.getByRole('button', { name: 'Receive 2 items' }).click()
    await page.getByText('2 items received').first().waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ received_date }) => received_date !== null),
      [true, true, false],
    )
  })

  it('ask to confirm adding an item that was never sold', async () => {
    const pk = await createOrder(await createSoldItems('W-226'), { isIssued: false })
    await create('/api/stock/', { part, quantity: 1, serial_numbers: 'W-227', location: shelf })
    const { body } = await member.get(`/api/stock/?part=${part}&serial=W-227`)
    const stockedItem = body.results[0].pk
    const [soldItem] = await createSoldItems('W-228')
    const page = await openConsole(service, 'member', `/order/return-order/${pk}/`)
    await page.getByRole('grid', { name: 'Lines' }).waitFor()
    await scanCode(page, formatCode(stockedItem))
    const dialog = page.getByRole('dialog', { name: /#W-227 is in stock/ })
    await dialog.getByText('It is at Repair shelf, not with a customer. Did you mean another item?').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'return-still-here')
    // scanning the next item discards the question
    await scanCode(page, formatCode(soldItem as number))
    await page.getByRole('link', { name: '#W-228' }).waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual((await readLines(pk)).map(({ item }) => item).includes(stockedItem), false)
    // confirming adds it
    await scanCode(page, formatCode(stockedItem))
    await dialog.getByRole('button', { name: 'Add anyway' }).click()
    await page.getByRole('link', { name: '#W-227' }).waitFor()
    assert.equal((await readLines(pk)).length, 3)
  })

  it('propose a location: the default of the part, otherwise the last one used', async () => {
    const repair = await create('/api/stock/location/', { name: 'Incoming repairs' })
    const owl = await create('/api/part/', {
      name: 'Owl, the mixer',
      category,
      salable: true,
      trackable: true,
      default_location: repair,
    })
    await create('/api/stock/', { part: owl, quantity: 1, serial_numbers: 'O-1', location: shelf })
    const { body } = await member.get(`/api/stock/?part=${owl}`)
    const item = body.results[0].pk
    assert.equal((await member.post('/api/stock/assign/', { items: [{ item }], customer })).status, 201)
    const pk = await createOrder([item, ...(await createSoldItems('W-229'))])
    const page = await openConsole(service, 'member', `/order/return-order/${pk}/`)
    const dialog = page.getByRole('dialog', { name: 'Receive' })
    const waitForLocation = (name: string) =>
      page.waitForFunction((value) => document.querySelector<HTMLInputElement>('#take-back-place')?.value === value, name)
    await page.getByRole('button', { name: 'Receive', exact: true }).waitFor()
    await scanCode(page, formatCode(item))
    await dialog.getByRole('button', { name: 'Receive 1 item' }).waitFor()
    await waitForLocation('Incoming repairs')
    await dialog.getByRole('button', { name: 'Receive 1 item' }).click()
    await page.getByText('1 item received').first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('r')
    await waitForLocation('Incoming repairs')
    await dialog.getByRole('button', { name: 'Receive 1 item' }).click()
    await page.getByRole('button', { name: 'Receive', exact: true }).waitFor({ state: 'detached' })
    assert.ok((await readLines(pk)).every(({ received_date }) => received_date !== null))
  })

  it('show at the item why it cannot be received, and receive nothing until everything is valid', async () => {
    const [item, other] = await createSoldItems('W-231', 'W-232')
    const pk = await createOrder([item as number, other as number])
    const otherOrder = await createOrder([item as number])
    const page = await openConsole(service, 'member', `/order/return-order/${pk}/`)
    await page.getByRole('button', { name: 'Receive', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Receive' })
    const [line] = (await member.get(`/api/order/ro-line/?order=${otherOrder}`)).body.results
    const receiveResponse = await member.post(`/api/order/ro/${otherOrder}/receive/`, {
      items: [{ item: line.pk }],
      location: shelf,
    })
    assert.equal(receiveResponse.status, 201, receiveResponse.text)
    await page.keyboard.type('repair')
    await page.getByRole('option', { name: 'Repair shelf' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await dialog.locator('tr', { hasText: 'W-231' }).getByText('has already been received with another order').waitFor()
    await assertAccessible(page)
    assert.ok((await readLines(pk)).every(({ received_date }) => received_date === null))
    await dialog.getByRole('checkbox', { name: /W-231/ }).uncheck()
    await dialog.getByRole('button', { name: 'Receive 1 item' }).click()
    await page.getByText('1 item received').first().waitFor()
  })

  it('offer no buttons and no edits to a read-only account', async () => {
    const pk = await createOrder(await createSoldItems('W-241'))
    const page = await openConsole(service, 'viewer', `/order/return-order/${pk}/`)
    await page.getByText('In progress', { exact: true }).waitFor()
    const main = page.locator('main')
    assert.deepEqual(await main.getByRole('button').allTextContents(), [''])
    assert.equal(await main.getByRole('combobox').count(), 0)
    assert.equal(await main.locator('td.edited').count(), 0)
    await assertAccessible(page)
  })

  it('fit a phone in German, including other charges', async () => {
    const order = await createOrder(await createSoldItems('W-251'))
    await create('/api/order/ro-extra-line/', { order, description: 'Porto', quantity: 2, price: '6.9', price_currency: 'EUR' })
    const page = await openConsole(service, 'member', `/order/return-order/${order}/`, { locale: 'de-DE' })
    await page.getByRole('grid', { name: 'Zusatzpositionen' }).getByText('13,80 EUR').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'return-german')
  })

  it('list open orders in a table, and are found by Ctrl+K', async () => {
    const page = await openConsole(service, 'member', '/order/return-order/?outstanding=true')
    await page.getByRole('grid', { name: 'Returns' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'returns')
    await page.keyboard.press('Control+K')
    await page.keyboard.type('RMA-1001')
    await page
      .getByRole('option', { name: /RMA-1001/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'RMA-1001' }).waitFor()
  })
})
