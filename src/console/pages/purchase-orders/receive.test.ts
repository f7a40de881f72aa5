import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preparePrinting } from '../../../testing/printing.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createKeyCounter } from '../../testing/keys.ts'
import { createPurchaseOrderHelpers } from '../../testing/purchase-orders.ts'

const service = await testService(await preparePrinting())
const { member } = service
const { createOrder, readLines } = await createPurchaseOrderHelpers(service)

const findPart = async (name: string) => (await member.get(`/api/part/?search=${encodeURIComponent(name)}`)).body.results[0]

describe('receiving a purchase order', { skip: cannotBrowse }, () => {
  it('takes at most 16 keystrokes for three lines, including serial numbers', async () => {
    const pk = await createOrder([
      { name: 'Battery AA', pack: '40', quantity: 5 },
      { name: 'Battery clip', quantity: 250 },
      { name: 'Main board', trackable: true, quantity: 5 },
    ])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('link', { name: 'Receive' }).waitFor()
    const keys = createKeyCounter(page)
    await keys.press('r')
    await page.locator('[data-field="packs"]:focus').waitFor()
    // the batteries arrived in full, fewer of the clips; the boards have serial numbers
    await keys.press('Enter')
    await keys.type('200')
    await keys.press('Enter', 'Tab')
    await keys.type('101-105')
    await page.getByText('5: 101, 102 … 105').waitFor()
    await capturePage(page, 'receive')
    await assertAccessible(page)
    await keys.press('Control+Enter')
    await page.getByText('7 stock items received').waitFor()
    assert.ok(keys.pressed <= 16, `it took ${keys.pressed} keys`)
    await assertAccessible(page)
    await capturePage(page, 'received')
    assert.deepEqual(
      (await readLines(pk)).map(({ received }) => received),
      [5, 200, 5],
    )
    const { body: stock } = await member.get(`/api/stock/?purchase_order=${pk}&ordering=pk`)
    assert.deepEqual(
      stock.results.map(({ quantity, serial }: { quantity: number; serial: string | null }) => serial ?? quantity),
      [200, 200, '101', '102', '103', '104', '105'],
    )
    await page.getByText('Serial numbers 101, 102 … 105').waitFor()
    // prints the labels of the received stock: one key activates the focused button, one prints
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Print 7 labels' }).last().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Print 7 labels' }).click()
    await page.getByRole('link', { name: 'Open PDF' }).waitFor({ timeout: scaleTimeout(60_000) })
  })

  it('is undone by a key, with the entries restored for correction', async () => {
    const pk = await createOrder([
      { name: 'Fuse', quantity: 4 },
      { name: 'Relay', trackable: true, quantity: 2 },
    ])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.getByLabel('Serial numbers: Relay').fill('21-22')
    await page.keyboard.press('Control+Enter')
    await page.getByText('3 stock items received').waitFor()
    await page
      .locator('.toast')
      .getByText(/^PO-\d+ received$/)
      .waitFor()
    await assertAccessible(page)
    await capturePage(page, 'received-undo')
    await page.keyboard.press('u')
    await page.getByText(/^Undone: PO-\d+ received$/).waitFor()
    await page.locator('[data-field="packs"]:focus').waitFor()
    assert.equal(await page.getByLabel('Serial numbers: Relay').inputValue(), '21-22')
    assert.equal((await member.get(`/api/stock/?purchase_order=${pk}`)).body.count, 0)
    assert.equal((await member.get(`/api/order/po/${pk}/`)).body.status, 20)
    await page.keyboard.type('3')
    await page.keyboard.press('Control+Enter')
    await page.getByText('3 stock items received').waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ received }) => received),
      [3, 2],
    )
    await page.getByText(/^Undone: /).waitFor({ state: 'detached' })
    // the message names the order, for a user who notices the error later on another page
    await page.getByRole('link', { name: 'Open order' }).click()
    await page.getByRole('heading', { name: /^PO-/ }).waitFor()
    const toast = page.locator('.toast', { hasText: /^PO-\d+ received/ })
    await toast.getByRole('button', { name: 'Close' }).click()
    await toast.waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await page.keyboard.press('Control+K')
    await page.keyboard.type('undo')
    await page.getByRole('option', { name: /Undo: PO-/ }).waitFor()
    await capturePage(page, 'received-undo-late')
    await page.keyboard.press('Enter')
    await page.getByText(/^Undone: PO-\d+ received$/).waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ received }) => received),
      [0, 0],
    )
    await page.keyboard.press('Control+K')
    await page.keyboard.type('undo')
    await page
      .getByRole('option')
      .first()
      .waitFor({ timeout: 2_000 })
      .catch(() => {})
    assert.equal(await page.getByRole('option', { name: /^Undo/ }).count(), 0)
  })

  it('is undone from the page of the order that it completed', async () => {
    const pk = await createOrder([{ name: 'Thermistor', quantity: 7 }])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 stock item received').waitFor()
    assert.equal((await member.get(`/api/order/po/${pk}/`)).body.status, 30)
    // the message that offers undo has closed
    await page.goto(`/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'Undo receipt' }).click()
    const dialog = page.getByRole('dialog', { name: /^Undo the last receipt of PO-\d+\?$/ })
    await dialog.getByText('If the receipt completed the order, the order is open again.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'receipt-undo')
    await dialog.getByRole('button', { name: 'Undo receipt' }).click()
    await page.getByText(/^Receipt of PO-\d+ undone$/).waitFor()
    await page.getByRole('link', { name: 'Receive' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo receipt' }).count(), 0)
    assert.equal((await member.get(`/api/order/po/${pk}/`)).body.status, 20)
    assert.equal((await member.get(`/api/stock/?purchase_order=${pk}`)).body.count, 0)
    // no other account can undo it
    await page.goto(`/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 stock item received').waitFor()
    const other = await openConsole(service, 'superuser', `/order/purchase-order/${pk}/`)
    await other.getByRole('heading', { name: /^PO-/ }).waitFor()
    assert.equal(await other.getByRole('button', { name: 'Undo receipt' }).count(), 0)
  })

  it('asks for confirmation without serial numbers or far below the expected quantity', async () => {
    const pk = await createOrder([
      { name: 'Servo', trackable: true, quantity: 2 },
      { name: 'Rivet', quantity: 4_800 },
      { name: 'Circlip', quantity: 48 },
    ])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    const assertNothingReceived = async () => assert.equal((await member.get(`/api/stock/?purchase_order=${pk}`)).body.count, 0)
    await page.keyboard.press('Control+Enter')
    const serialDialog = page.getByRole('dialog', { name: 'Receive without serial numbers?' })
    await serialDialog.getByText('Servo').waitFor()
    assert.equal(await serialDialog.getByText('Rivet').count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'receive-no-serials')
    // the focus is on the button that goes back
    await page.keyboard.press('Enter')
    await serialDialog.waitFor({ state: 'detached' })
    await assertNothingReceived()
    await page.getByLabel('Serial numbers: Servo').fill('61, 62')
    await page.getByLabel('Quantity to receive: Rivet').fill('48')
    await page.getByLabel('Quantity to receive: Circlip').fill('5')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Receive only a small part of the expected quantity?' })
    await dialog.getByText('Rivet: 48 entered, 4,800 expected').waitFor()
    assert.equal(await dialog.getByText('Circlip').count(), 0)
    await capturePage(page, 'receive-few')
    await page.keyboard.press('Escape')
    await assertNothingReceived()
    // much more than expected exceeds the ordered quantity
    await page.getByLabel('Quantity to receive: Rivet').fill('4800')
    await page.getByLabel('Quantity to receive: Circlip').fill('4800')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog', { name: 'Receive more than ordered?' }).waitFor()
    await page.keyboard.press('Escape')
    await assertNothingReceived()
    await page.getByLabel('Quantity to receive: Circlip').fill('4')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Receive', exact: true }).click()
    await page.getByText('4 stock items received').waitFor()
  })

  it('counts once if repeated before outstanding quantities are reloaded', async () => {
    const pk = await createOrder([
      { name: 'Choke', quantity: 4 },
      { name: 'Varistor', quantity: 2 },
    ])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('1')
    let release = () => {}
    const readReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/web/read/', async (route) => {
      await readReleased
      await route.continue()
    })
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 stock items received').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Receive more' }).count(), 0)
    release()
    await page.getByRole('button', { name: 'Receive more' }).click()
    await page.locator('[data-field="packs"]:focus').waitFor()
    assert.deepEqual(
      await page
        .locator('[data-field="packs"]')
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
      ['1'],
    )
  })

  it('counts once if a colleague has received half of the same delivery', async () => {
    const pk = await createOrder([{ name: 'Gasket', quantity: 10 }])
    const [line] = await readLines(pk)
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.type('5')
    const { status, text } = await member.post(`/api/order/po/${pk}/receive/`, {
      items: [{ line_item: line?.pk, quantity: 5 }],
      location: null,
    })
    assert.equal(status, 201, text)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('Someone else changed: Gasket.').waitFor()
    assert.equal((await readLines(pk))[0]?.received, 5)
    await page.locator('.receive-row').getByText('5', { exact: true }).first().waitFor()
    // pressing the key twice does not confirm the message
    await page.keyboard.press('Control+Enter')
    assert.equal((await readLines(pk))[0]?.received, 5)
    await page.getByText('The received quantity is now 5. You saw 0.').waitFor()
    await page.getByRole('button', { name: 'Use the new value' }).click()
    assert.equal(await page.locator('[data-field="packs"]').first().inputValue(), '5')
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 stock item received').waitFor()
    assert.equal((await readLines(pk))[0]?.received, 10)
  })

  it('shows errors at their lines, and receives more than ordered after confirmation', async () => {
    const pk = await createOrder([
      { name: 'Display', quantity: 3 },
      { name: 'Driver board', trackable: true, quantity: 2 },
    ])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.type('4')
    await page.getByLabel('Serial numbers: Driver board').fill('7, 7')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Receive more than ordered?' })
    // errors are shown first: a delivery that would be rejected needs no confirmation
    await page.locator('.receive-row', { hasText: 'Driver board' }).getByRole('alert').getByText('Duplicate serial: 7').waitFor()
    assert.equal(await dialog.count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'receive-refused')
    assert.equal((await readLines(pk))[0]?.received, 0)
    // the same for a serial number in use, which is detected only when the stock is created
    const duplicate = { part: (await findPart('Driver board')).pk, quantity: 1, serial: '8' }
    const { status, text } = await member.post('/api/stock/', duplicate)
    assert.equal(status, 201, text)
    await page.getByLabel('Serial numbers: Driver board').fill('7, 8')
    await page.keyboard.press('Control+Enter')
    const boards = page.locator('.receive-row', { hasText: 'Driver board' })
    await boards
      .getByRole('alert')
      .getByText(/already exists?: 8/)
      .waitFor()
    assert.equal(await page.getByLabel('Serial numbers: Driver board').getAttribute('aria-invalid'), 'true')
    assert.equal(await page.locator('.problem').count(), 0)
    assert.equal(await dialog.count(), 0)
    await page.getByLabel('Serial numbers: Driver board').fill('7, 9')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Display: 1 more than ordered, 4 in total.').waitFor()
    await assertAccessible(page)
    assert.equal((await readLines(pk))[0]?.received, 0)
    // Enter twice does not receive the unconfirmed quantity
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await dialog.getByRole('button', { name: 'Receive full quantity' }).click()
    await page.getByText('3 stock items received').waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ received }) => received),
      [4, 2],
    )
  })

  it('stores stock in non-structural locations, and clears the missing location error once one is selected', async () => {
    const pk = await createOrder([
      { name: 'Spring', quantity: 3 },
      { name: 'Washer', quantity: 2 },
    ])
    for (const line of await readLines(pk)) await member.patch(`/api/order/po-line/${line.pk}/`, { destination: null })
    const hall = (await member.post('/api/stock/location/', { name: 'Bay hall', structural: true })).body.pk
    await member.post('/api/stock/location/', { name: 'Bay', parent: hall })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Select a location.').first().waitFor()
    await page.keyboard.type('Bay')
    await page.getByRole('option', { name: 'Bay hall/Bay' }).waitFor()
    assert.equal(await page.getByRole('option').count(), 1)
    await page.keyboard.press('Enter')
    await page.getByPlaceholder('Same location for all').first().waitFor()
    assert.equal(await page.getByText('Select a location.').count(), 0)
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 stock items received').waitFor()
    // the result shows the location to take the stock to
    await page
      .getByRole('row', { name: /Spring/ })
      .getByRole('link', { name: 'Bay hall/Bay' })
      .waitFor()
    await assertAccessible(page)
    await capturePage(page, 'received-places')
    // the parent location still filters stock
    await page.goto(`/stock/?in_stock=true&location=${hall}`)
    await page.getByText('Washer').first().waitFor()
  })

  it('shows the end of a long location path, which distinguishes it, and each error once', async () => {
    const pk = await createOrder([{ name: 'Plug', trackable: true, quantity: 3 }])
    let parent: number | null = null
    for (const name of ['Building at the canal', 'Second floor', 'Cabinet with drawers', 'Drawer 17'])
      parent = (await member.post('/api/stock/location/', { name, parent })).body.pk
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('1-2')
    await page.keyboard.press('Control+Enter')
    const row = page.locator('.receive-row', { hasText: 'Plug' })
    await row.getByRole('alert').waitFor()
    assert.equal(await row.getByText('must match quantity (3)').count(), 1)
    const locationField = row.getByRole('combobox')
    await locationField.fill('Drawer 17')
    await page.getByRole('option', { name: /Drawer 17$/ }).waitFor()
    await page.keyboard.press('Tab')
    await page.waitForFunction(() => {
      const [field] = document.querySelectorAll<HTMLInputElement>('.receive-row [role=combobox]')
      if (!field?.value.endsWith('Drawer 17') || field.scrollWidth <= field.clientWidth) return false
      return field.scrollLeft + field.clientWidth >= field.scrollWidth - 1
    })
    await capturePage(page, 'receive-place')
    await page.getByLabel('Serial numbers: Plug').fill('1-3')
    await page.keyboard.press('Control+Enter')
    await page.getByText('3 stock items received').waitFor()
    await page.getByRole('link', { name: /Drawer 17$/ }).waitFor()
    await capturePage(page, 'received-place')
  })

  it('asks for the same confirmation in German', async () => {
    const pk = await createOrder([{ name: 'Anzeige', quantity: 3 }])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`, { locale: 'de-DE' })
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.type('4')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog').getByText('Anzeige: 1 mehr als bestellt, 4 insgesamt.').waitFor()
    await page.getByRole('button', { name: 'Volle Menge einbuchen' }).click()
    await page.locator('.received-done').waitFor()
    assert.equal((await readLines(pk))[0]?.received, 4)
  })

  it('counts once, however often the key is pressed', async () => {
    const pk = await createOrder([{ name: 'Cable', quantity: 6 }])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.type('2')
    // the first response is lost in transit
    let wasLost = false
    await page.route('**/receive/?stock_items=true', async (route) => {
      if (wasLost) return route.continue()
      wasLost = true
      await route.fetch()
      return route.abort()
    })
    await page.keyboard.press('Control+Enter')
    await page.getByText('The service cannot be reached').first().waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 stock item received').waitFor()
    assert.equal((await readLines(pk))[0]?.received, 2)
  })

  it('splits very long orders into pages, and keeps the entries of each page', async () => {
    const pk = await createOrder([{ name: 'Bead', quantity: 1 }])
    await service.rows(
      `insert into purchase_order_line ("order", part, quantity, received, purchase_price_currency, destination)
       select "order", part, 1, 0, purchase_price_currency, destination from purchase_order_line, generate_series(1, 501)
       where "order" = ${pk}`,
    )
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.getByText('Lines 1 to 500 of 502').waitFor()
    await page.getByRole('button', { name: 'Clear all quantities' }).click()
    await page.locator('[data-field="packs"]').first().fill('1')
    /** Opens the next lines once all of the current ones are rendered: until then the link moves down. */
    const openNextLines = async () => {
      await page.locator('[data-field="packs"]').nth(499).waitFor()
      await page.getByRole('link', { name: 'Next lines' }).click()
      await page.getByText('Lines 501 to 502 of 502').waitFor()
    }
    await openNextLines()
    assert.equal(await page.locator('[data-field="packs"]').count(), 2)
    await page.getByRole('link', { name: 'Previous lines' }).click()
    await page.getByRole('button', { name: 'Receive 1 line' }).waitFor()
    await openNextLines()
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 stock items received').waitFor()
    assert.equal((await member.get(`/api/order/po-line/?order=${pk}&received=true&limit=1`)).body.count, 2)
    await page.getByRole('button', { name: 'Receive more' }).click()
    await page.getByText('Nothing to receive here').waitFor()
    await page.getByRole('link', { name: 'Previous lines' }).click()
    await page.locator('[data-field="packs"]:focus').waitFor()
  })

  it('works with Cmd+Enter, as on a Mac', async () => {
    const pk = await createOrder([{ name: 'Apple screw', quantity: 2 }])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]').first().focus()
    await page.keyboard.press('Meta+Enter')
    await page.getByText('1 stock item received').waitFor()
    assert.equal((await readLines(pk))[0]?.received, 2)
  })
})
