import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createKeyCounter } from '../../testing/keys.ts'

const service = await testService()
const { member } = service

const create = createObjectsAs(member)
const customer = await create('/api/company/', { name: 'Songbird Audio', is_customer: true, currency: 'EUR' })
const category = await create('/api/part/category/', { name: 'Instruments' })
const shelf = await create('/api/stock/location/', { name: 'Finished instruments' })
const part = await create('/api/part/', { name: 'Wren, the pocket synthesizer', category, salable: true })
for (const [quantity, status] of [
  [2, 50],
  [5, 10],
  [3, 10],
])
  await create('/api/stock/', { part, quantity, status, location: shelf })
let lastNumber = 0

/** Creates an order in progress with the given quantity. */
async function createOrder(quantity: number): Promise<number> {
  const order = await create('/api/order/so/', {
    reference: `SO-${1000 + ++lastNumber}`,
    customer,
    description: 'For the window',
  })
  await create('/api/order/so-line/', { order, part, quantity, sale_price: 249, sale_price_currency: 'EUR' })
  assert.equal((await member.post(`/api/order/so/${order}/issue/`)).status, 201)
  return order
}

describe('the sales order pages', { skip: cannotBrowse }, () => {
  it('show an empty state that explains sales orders', async () => {
    const other = await testService()
    const page = await openConsole(other, 'member', '/order/sales-order/')
    await page.getByText('No sales orders yet').waitFor()
    await assertAccessible(page)
  })

  it('allocate and ship an order in 9 keys, and leave out stock with a defect', async () => {
    const pk = await createOrder(6)
    const page = await openConsole(service, 'member', `/order/sales-order/${pk}/`)
    await page.getByRole('button', { name: 'Allocate' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'sales-order')
    const keys = createKeyCounter(page)
    await keys.press('b')
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByText('6 required').waitFor()
    assert.deepEqual(
      await dialog.locator('input').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
      ['5', '1', ''],
    )
    await assertAccessible(page)
    await capturePage(page, 'sales-put-by')
    await dialog.locator('input:focus').waitFor()
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Shipment 1' }).waitFor()
    const { body } = await member.get(`/api/order/so-allocation/?order=${pk}`)
    assert.deepEqual(body.results.map(({ quantity }: { quantity: number }) => quantity).sort(), [1, 5])
    await page.getByRole('button', { name: 'Ship', exact: true }).waitFor()
    await keys.press('s')
    await page.getByRole('dialog').getByLabel('Tracking number').and(page.locator(':focus')).waitFor()
    await keys.type('00340')
    await keys.press('Enter')
    await page.getByText(/Shipped on/).waitFor()
    assert.equal(keys.pressed, 9)
    await assertAccessible(page)
    await capturePage(page, 'sales-shipped')
    const { body: lines } = await member.get(`/api/order/so-line/?order=${pk}`)
    assert.equal(lines.results[0].shipped, 6)
  })

  it('show an error at the stock item it is about', async () => {
    const pk = await createOrder(2)
    const page = await openConsole(service, 'member', `/order/sales-order/${pk}/`)
    await page.getByRole('button', { name: 'Allocate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.locator('input:focus').fill('50')
    await page.keyboard.press('Enter')
    await dialog.locator('[aria-invalid]').waitFor()
    await assertAccessible(page)
    assert.equal((await member.get(`/api/order/so-allocation/?order=${pk}`)).body.count, 0)
    await dialog.locator('[aria-invalid]').fill('1')
    await page.keyboard.press('Enter')
    // the shipment created for the rejected allocation is reused
    await page.getByRole('heading', { name: 'Shipment 1' }).waitFor()
    await page.getByRole('button', { name: 'Release Wren, the pocket synthesizer' }).click()
    await page.getByText('No stock is allocated to it yet').waitFor()
  })

  it('split the stock of one part between two lines, and leave no empty shipment after an error', async () => {
    const scarce = await create('/api/part/', { name: 'Robin, the drum machine', category, salable: true })
    await create('/api/stock/', { part: scarce, quantity: 4, location: shelf })
    const order = await create('/api/order/so/', { reference: `SO-${1000 + ++lastNumber}`, customer })
    for (const quantity of [3, 2])
      await create('/api/order/so-line/', { order, part: scarce, quantity, sale_price: 99, sale_price_currency: 'EUR' })
    assert.equal((await member.post(`/api/order/so/${order}/issue/`)).status, 201)
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/?do=pack`)
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByText('3 required').waitFor()
    const inputs = dialog.locator('input')
    const readValues = () => inputs.evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
    assert.deepEqual(await readValues(), ['3', '1'])
    assert.deepEqual(await dialog.locator('tbody tr td:nth-child(2)').allTextContents(), ['3', '1'])
    // text that is not a number is not ignored
    await inputs.nth(1).fill('1 or 2')
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter a quantity.').waitFor()
    await assertAccessible(page)
    assert.equal((await member.get(`/api/order/so/shipment/?order=${order}`)).body.count, 0)
    // more than the available quantity: both lines are rejected together, and the shipment created for it is deleted
    await inputs.nth(1).fill('2')
    await page.keyboard.press('Enter')
    await dialog.locator('[aria-invalid]').first().waitFor()
    assert.equal((await member.get(`/api/order/so/shipment/?order=${order}`)).body.count, 0)
    await inputs.nth(1).fill('1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Shipment 1' }).waitFor()
    const { body } = await member.get(`/api/order/so-allocation/?order=${order}`)
    assert.deepEqual(body.results.map(({ quantity }: { quantity: number }) => quantity).sort(), [1, 3])
  })

  it('report that available stock cannot be loaded, and retry on request', async () => {
    const pk = await createOrder(1)
    const page = await openConsole(service, 'member', `/order/sales-order/${pk}/`)
    await page.getByRole('button', { name: 'Allocate' }).waitFor()
    await page.route('**/api/web/read/', (route) => route.abort(), { times: 1 })
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByText('The service cannot be reached').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('1 required').waitFor()
  })

  it('name the variant of an item, reject a partial serialized item, and say when nothing is available', async () => {
    const template = await create('/api/part/', { name: 'Thrush', category, salable: true, is_template: true, trackable: true })
    const order = await create('/api/order/so/', { reference: `SO-${1000 + ++lastNumber}`, customer })
    await create('/api/order/so-line/', { order, part: template, quantity: 1.5 })
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/?do=pack`, { locale: 'de-DE' })
    const dialog = page.getByRole('dialog', { name: 'Bestand reservieren' })
    await dialog.getByText('Kein Bestand verfügbar').waitFor()
    await dialog.getByText('Thrush: 1,5 benötigt').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'sales-nothing-free')

    for (const [serial_numbers, name] of [
      ['7', 'Thrush, oak'],
      ['8', 'Thrush, walnut'],
    ]) {
      const variant = await create('/api/part/', { name, category, salable: true, variant_of: template, trackable: true })
      await create('/api/stock/', { part: variant, quantity: 1, serial_numbers, location: shelf })
    }
    await page.goto(`/order/sales-order/${order}/?do=pack`)
    await dialog.getByText('Thrush, oak').waitFor()
    await dialog.getByText('Thrush, walnut').waitFor()
    const readValues = () => dialog.locator('input').evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
    assert.deepEqual(await readValues(), ['1', ''])
    await page.keyboard.press('Enter')
    await page.getByText('1 Lagerposten reserviert').waitFor()

    // partial quantities are formatted for the reader
    const wire = await create('/api/part/', { name: 'Wire', units: 'm', category, salable: true })
    await create('/api/stock/', { part: wire, quantity: 10, location: shelf })
    const other = await create('/api/order/so/', { reference: `SO-${1000 + ++lastNumber}`, customer })
    await create('/api/order/so-line/', { order: other, part: wire, quantity: 2.5 })
    await page.goto(`/order/sales-order/${other}/?do=pack`)
    await dialog.getByText('2,5 m benötigt').waitFor()
    assert.deepEqual(await readValues(), ['2,5'])
  })

  it('report a shipment changed by another user, and ship it when confirmed', async () => {
    const pk = await createOrder(1)
    const { body } = await member.get(`/api/order/so-line/?order=${pk}`)
    const shipment = await create('/api/order/so/shipment/', { order: pk, reference: '1' })
    const item = await create('/api/stock/', { part, quantity: 1, location: shelf })
    const allocation = await member.post(`/api/order/so/${pk}/allocate/`, {
      shipment,
      items: [{ line_item: body.results[0].pk, stock_item: item, quantity: 1 }],
    })
    assert.equal(allocation.status, 201, allocation.text)
    const page = await openConsole(service, 'member', `/order/sales-order/${pk}/`)
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Ship shipment 1?' })
    await dialog.waitFor()
    assert.equal((await member.patch(`/api/order/so/shipment/${shipment}/`, { reference: '1b' })).status, 200)
    await page.keyboard.press('Enter')
    const changedDialog = page.getByRole('dialog', { name: 'Ship shipment 1b?' })
    await changedDialog.getByText('Someone else changed this.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/Shipped on/).waitFor()
  })

  it('select a contact and an address of the customer by name', async () => {
    const pk = await createOrder(1)
    const other = await create('/api/company/', { name: 'Halden Audio', is_customer: true })
    await create('/api/company/contact/', { name: 'Adalbert of elsewhere', company: other })
    const contact = await create('/api/company/contact/', { name: 'Ada Finch', role: 'Window', company: customer })
    const address = await create('/api/company/address/', {
      company: customer,
      title: 'Shop',
      line1: 'Lock Lane 6',
      postal_code: 'BW2',
      postal_city: 'Brightwell',
    })
    const page = await openConsole(service, 'member', `/order/sales-order/${pk}/`)
    await page.getByRole('button', { name: 'Edit sales order' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit sales order' })
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('Contact').fill('ada')
    await page.getByRole('option', { name: /^Ada Finch\W*Window/ }).waitFor()
    assert.equal(await page.getByRole('option', { name: /Adalbert/ }).count(), 0)
    await dialog.getByLabel('Contact').press('Enter')
    await assertAccessible(page)
    // saves the result that Enter selects, even if it arrives later
    await page.route('**/api/company/address/?*search=shop*', async (route) => {
      await setTimeout(1_000)
      await route.continue()
    })
    await dialog.getByLabel('Address').fill('shop')
    await dialog.getByLabel('Address').press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Lock Lane 6, BW2 Brightwell').waitFor()
    await page.getByText('Ada Finch').waitFor()
    await capturePage(page, 'sales-address')
    const { body } = await member.get(`/api/order/so/${pk}/`)
    assert.deepEqual([body.contact, body.address], [contact, address])
  })

  it('show exact totals', async () => {
    const order = await create('/api/order/so/', { reference: `SO-${1000 + ++lastNumber}`, customer })
    for (const [quantity, sale_price] of [
      [3, '1.1'],
      [7, '12345678901.123457'],
      [3, '0.335'],
      [2, '0.0012'],
    ])
      await create('/api/order/so-line/', { order, part, quantity, sale_price, sale_price_currency: 'EUR' })
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/`)
    const lines = page.getByRole('grid', { name: 'Lines' })
    await lines.getByText('EUR 3.30').waitFor()
    await lines.getByText('EUR 86,419,752,307.86', { exact: true }).waitFor()
    // 1.005, which is less as a binary fraction
    await lines.getByText('EUR 1.01', { exact: true }).waitFor()
    // too small for cents
    await lines.getByText('EUR 0.0024', { exact: true }).waitFor()
  })

  it('take prices from the price breaks of the part, which follow the quantity until a price is entered', async () => {
    const horn = await create('/api/part/', { name: 'Horn', category, salable: true })
    for (const [quantity, price] of [
      [1, '20'],
      [10, '18'],
      [50, '15.5'],
    ])
      await create('/api/part/sale-price/', { part: horn, quantity, price, price_currency: 'EUR' })
    const order = await create('/api/order/so/', { reference: `SO-${1000 + ++lastNumber}`, customer })
    const readLines = async (): Promise<[number, string][]> =>
      (await member.get(`/api/order/so-line/?order=${order}&ordering=pk`)).body.results.map(
        ({ quantity, sale_price }: { quantity: number; sale_price: string }) => [quantity, sale_price],
      )
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/`)
    const lines = page.getByRole('grid', { name: 'Lines' })
    await page.getByRole('combobox', { name: 'Add line' }).waitFor()
    const keys = createKeyCounter(page)
    await keys.press('a')
    await keys.type('horn')
    await keys.press('Enter')
    await lines.locator('.editing input:focus').waitFor()
    assert.deepEqual(await readLines(), [[1, '20.000000']])
    await keys.type('10')
    await keys.press('Enter')
    await page.getByText('Horn: unit price EUR 18.00 from sale price breaks, previously EUR 20.00').waitFor()
    await lines.getByText('EUR 180.00').waitFor()
    assert.deepEqual(await readLines(), [[10, '18.000000']])
    await capturePage(page, 'sales-price')

    // undo counts as entering the price
    await keys.press('Escape', 'u')
    await lines.getByText('EUR 200.00').waitFor()
    const change = async (name: string, value: string) => {
      await lines
        .locator('tbody td')
        .nth(name === 'quantity' ? 2 : 5)
        .click()
      await lines.locator('.editing input:focus').waitFor()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(value)
      await page.keyboard.press('Enter')
      await lines.locator('.editing').waitFor({ state: 'detached' })
    }
    await change('quantity', '60')
    await lines.getByText('EUR 1,200.00').waitFor()
    await change('sale_price', '15.5')
    await lines.getByText('EUR 930.00').waitFor()
    await change('quantity', '7')
    await lines.getByText('EUR 140.00').waitFor()
    assert.deepEqual(await readLines(), [[7, '20.000000']])
  })

  it('add pasted rows as lines, each with its price', async () => {
    const drum = await create('/api/part/', { name: 'Drum', IPN: 'DR-1', category, salable: true })
    await create('/api/part/sale-price/', { part: drum, quantity: 3, price: '40', price_currency: 'EUR' })
    const order = await create('/api/order/so/', { reference: `SO-${1000 + ++lastNumber}`, customer })
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/`)
    const field = page.getByRole('combobox', { name: 'Add line' })
    await field.waitFor()
    await field.evaluate((input) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'DR-1\t4\nWren, the pocket synthesizer\t2\nTuba\t1')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.getByText('2 lines added').waitFor()
    await page.locator('.toast.bad', { hasText: 'Tuba' }).waitFor()
    const { body } = await member.get(`/api/order/so-line/?order=${order}&ordering=pk`)
    assert.deepEqual(
      body.results.map((line: Record<string, unknown>) => [line.part, line.quantity, line.sale_price]),
      [
        [drum, 4, '40.000000'],
        [part, 2, null],
      ],
    )
  })

  it('explain what prevents completing an order, and do not offer to complete an empty one', async () => {
    const emptyOrder = await create('/api/order/so/', { reference: `SO-${1000 + ++lastNumber}`, customer })
    const page = await openConsole(service, 'member', `/order/sales-order/${emptyOrder}/`)
    await page.getByRole('button', { name: 'Issue' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Complete' }).count(), 0)

    const pk = await createOrder(2)
    await create('/api/order/so/shipment/', { order: pk, reference: '7' })
    await page.goto(`/order/sales-order/${pk}/`)
    await page.getByRole('heading', { name: 'Shipment 7' }).waitFor()
    await page.getByText('2 to ship').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: /^Cannot complete/ })
    await dialog.getByText(/1 shipment has not been shipped.*: Shipment 7$/).waitFor()
    // missing quantities cannot be confirmed before that
    assert.equal(await dialog.getByText('not been fully shipped').count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'sales-not-yet')
    await page.keyboard.press('Escape')
    // the blocking shipment can be deleted
    const deleteButton = page.getByRole('button', { name: 'Delete shipment 7' })
    const confirmation = page.getByRole('dialog', { name: 'Delete Shipment 7?' })
    await deleteButton.click()
    await assertAccessible(page)
    await capturePage(page, 'sales-delete-shipment')
    // pressing Enter alone deletes nothing
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    assert.equal((await member.get(`/api/order/so/shipment/?order=${pk}`)).body.count, 1)
    await deleteButton.click()
    await confirmation.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Shipment 7', exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    const completeDialog = page.getByRole('dialog', { name: /^Complete/ })
    await completeDialog.getByText('1 line has not been fully shipped').waitFor()
    await completeDialog.getByRole('button', { name: 'Complete' }).click()
    await page.locator('.badge', { hasText: 'Shipped' }).waitFor()
    assert.equal((await member.get(`/api/order/so/${pk}/`)).body.status, 20)
  })

  it('offer no buttons that change anything to a read-only account', async () => {
    const pk = await createOrder(1)
    const page = await openConsole(service, 'viewer', `/order/sales-order/${pk}/`)
    await page.getByText('In progress', { exact: true }).waitFor()
    assert.deepEqual(await page.locator('main').getByRole('button').allTextContents(), [''])
    assert.equal(await page.locator('main td.edited').count(), 0)
    await assertAccessible(page)
  })
})
