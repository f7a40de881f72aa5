import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { scanCode } from '../../testing/scanner.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { locations, parts, items } = await fillWorkshop(service)

/** Maximum keys for a shelf of five: three as expected, one with a new quantity of two digits, one missing serial number. */
const MAX_KEYS = 20

describe('counting a shelf', { skip: cannotBrowse }, () => {
  it(`takes at most ${MAX_KEYS} keys: the location, the quantity, and posting`, async () => {
    const page = await openConsole(service, 'member', '/')
    const requestPaths: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/stock/')) {
        requestPaths.push(new URL(request.url()).pathname)
        assert.ok(request.headers()['idempotency-key'])
      }
    })
    await page.getByRole('link', { name: 'Count' }).waitFor()
    let keys = 0
    const press = async (...pressed: string[]) => {
      for (const key of pressed) await page.keyboard.press(key)
      keys += pressed.length
    }
    await press('g', 'k')
    await page.getByLabel('Which location?').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'count-place')
    await press(...'shelf', 'Enter')
    await page.waitForURL(`**/stock/count/${locations.shelf}/`)
    const fields = page.getByRole('table').getByRole('textbox')
    await fields.first().waitFor()
    const names = await fields.evaluateAll((all) => all.map((field) => field.getAttribute('aria-label')))
    assert.deepEqual(names, [
      'Counted quantity of Cable LiYCY 4 × 0.25 mm², shielded, grey, on a drum of a hundred metres',
      'Counted quantity of S-DOOR | Door sensor #1001',
      'Counted quantity of S-DOOR | Door sensor #1002',
      'Counted quantity of R-10K-0603 | Resistor 10 kΩ 0603 batch L2031-88',
      'Counted quantity of Sensor board',
    ])
    await page.waitForFunction(() => document.activeElement === document.querySelector('.editable-grid input'))
    await press('Enter')
    await waitForFocus(page, 1)
    await press('Enter')
    await waitForFocus(page, 2)
    await press('0', 'Enter')
    await waitForFocus(page, 3)
    await press('Enter')
    await waitForFocus(page, 4)
    await press('2', '8')
    await page.getByText('5 of 5 counted').waitFor()
    await page.getByText('2 differences').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'count')
    await press('Control+Enter')
    await page.getByText('5 counts posted').waitFor()
    assert.ok(keys <= MAX_KEYS, `${keys} keys`)
    assert.deepEqual(requestPaths, ['/api/stock/count/', '/api/stock/change_status/'])
    const readItem = async (pk: number) => (await service.member.get(`/api/stock/${pk}/`)).body
    assert.equal((await readItem(items.board)).quantity, 28)
    assert.equal((await readItem(items.cable)).quantity, 87.5)
    assert.equal((await readItem(items.cable)).stocktake_date, new Date().toISOString().slice(0, 10))
    assert.equal((await readItem(items.sensor)).stocktake_date, new Date().toISOString().slice(0, 10), 'it was confirmed')
    assert.deepEqual(
      (await service.rows('select tracking_type from stock_tracking where item = $1 order by pk', [items.sensor])).at(-1),
      { tracking_type: 10 },
    )
    assert.equal((await readItem(items.sensorTwo)).status, 70)
    // a lost item no longer has to be counted
    await page.getByText('0 of 4 counted').waitFor()
  })

  it('moves to the scanned item, and counts a serial number by its scan', async () => {
    // a busy machine delivers keys late
    const setInputDelay = (value: number) => service.staff.patch('/api/settings/global/BARCODE_INPUT_DELAY/', { value })
    assert.equal((await setInputDelay(400)).status, 200)
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    await page.getByText('0 of 4 counted').waitFor()
    await scanCode(page, `{"stockitem": ${items.cable}}`)
    await page.waitForFunction((pk) => document.activeElement?.getAttribute('data-item') === String(pk), items.cable)
    await page.locator(':focus').fill('12')
    await page.getByText('1 of 4 counted').waitFor()
    await scanCode(page, `{"stockitem": ${items.sensor}}`)
    await page.getByText('2 of 4 counted').waitFor()
    assert.equal(await page.locator(`input[data-item="${items.cable}"]`).inputValue(), '12')
    await scanCode(page, '{"stockitem": 999999}')
    await page.getByText('The scanned item is not in this location').waitFor()
    assert.equal((await setInputDelay(50)).status, 200)
  })

  it('moves a scanned item here if it is recorded in another location, instead of recording it twice', async () => {
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    await page.getByText('0 of 4 counted').waitFor()
    await scanCode(page, `{"stockitem": ${items.oldCable}}`)
    const dialog = page.getByRole('dialog', { name: 'Recorded in another location' })
    await dialog.getByText('is recorded in Store/Shelf A/Box 7: 12 m.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'count-stray')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('0 of 5 counted').waitFor()
    await page.waitForFunction((pk) => document.activeElement?.getAttribute('data-item') === String(pk), items.oldCable)
    const { body } = await service.member.get(`/api/stock/${items.oldCable}/`)
    assert.deepEqual([body.location, body.quantity], [locations.shelf, 12])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('0 of 4 counted').waitFor()
    assert.equal((await service.member.get(`/api/stock/${items.oldCable}/`)).body.location, locations.box)
  })

  it('keeps typed quantities on reload, and rejects text that is not a quantity', async () => {
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    const board = page.getByLabel('Counted quantity of Sensor board')
    await board.fill('3x')
    await page.getByText('0 of 4 counted').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Post count' }).isDisabled())
    await board.fill('27')
    await page.getByText('1 of 4 counted').waitFor()
    await page.reload()
    assert.equal(await page.getByLabel('Counted quantity of Sensor board').inputValue(), '27')
    await page.getByText('1 of 4 counted').waitFor()
  })

  it('hides expected quantities in a blind count', async () => {
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    await page.getByRole('columnheader', { name: 'Expected' }).waitFor()
    await page.getByLabel('Blind count').check()
    await page.getByRole('columnheader', { name: 'Expected' }).waitFor({ state: 'detached' })
    const first = page.getByRole('table').getByRole('textbox').first()
    await first.focus()
    await page.keyboard.press('Enter')
    assert.equal(await first.inputValue(), '')
  })

  it('asks which orders to release stock from when the count is below the allocated quantity', async () => {
    const { member } = service
    const createObject = async (path: string, body: object): Promise<number> => {
      const response = await member.post(path, body)
      assert.equal(response.status, 201, response.text)
      return response.body.pk
    }
    await service.rows('update part set salable = true where pk = $1', [parts.board])
    const customer = await createObject('/api/company/', { name: 'Riverside Radio', is_customer: true, currency: 'EUR' })
    const initialQuantity = (await member.get(`/api/stock/${items.board}/`)).body.quantity as number
    const orders: number[] = []
    for (const reference of ['SO-0101', 'SO-0102']) {
      const order = await createObject('/api/order/so/', { reference, customer })
      const line_item = await createObject('/api/order/so-line/', { order, part: parts.board, quantity: 10 })
      const shipment = await createObject('/api/order/so/shipment/', { order, reference: '1' })
      const response = await member.post(`/api/order/so/${order}/allocate/`, {
        items: [{ line_item, stock_item: items.board, quantity: 10 }],
        shipment,
      })
      assert.equal(response.status, 201, response.text)
      orders.push(order)
    }
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    await page.getByLabel('Counted quantity of Sensor board').fill('15')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sensor board: 15 counted, 20 allocated. 5 must be released.').waitFor()
    // suggests the newest order
    await page.getByText('release 5', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('SO-0102').isChecked(), true)
    await assertAccessible(page)
    await capturePage(page, 'count-release')
    await page.getByLabel('SO-0102').uncheck()
    await page.getByText('5 more must be released.').waitFor()
    await page.getByLabel('SO-0101').check()
    await page.getByRole('button', { name: 'Post count' }).click()
    await page.getByText('1 count posted').waitFor()
    const readAllocated = async () =>
      (await service.rows('select quantity::float8 as quantity from sales_order_allocation order by pk')).map(
        ({ quantity }) => quantity,
      )
    assert.deepEqual(await readAllocated(), [5, 10])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await waitUntil(async () => (await readAllocated())[0] === 10, 'the stock is not allocated again')
    assert.deepEqual(await readAllocated(), [10, 10])
    assert.equal((await member.get(`/api/stock/${items.board}/`)).body.quantity, initialQuantity)
    const orderPage = await openConsole(service, 'member', `/order/sales-order/${orders[0]}/`)
    await orderPage.getByText('5 Sensor board released by a count').waitFor()
    await orderPage.getByText('allocated again').waitFor()
    const scanPage = await openConsole(service, 'member', '/scan/count/')
    await scanPage.getByText('Ready to scan').waitFor()
    await scanCode(scanPage, `{"stockitem": ${items.board}}`)
    await scanPage.getByLabel('Quantity').fill('15')
    await scanPage.keyboard.press('Enter')
    await scanPage.getByText('Sensor board: 15 counted, 20 allocated. Release 5 from which order?').waitFor()
    await scanPage.getByRole('button', { name: 'Release 5 from SO-0102' }).waitFor()
    await capturePage(scanPage, 'scan-release')
    await scanPage.getByRole('button', { name: 'Release 5 from SO-0101' }).click()
    await waitUntil(async () => (await readAllocated())[0] === 5, 'the selected order does not release stock')
    assert.deepEqual(await readAllocated(), [5, 10])
    for (const order of orders) assert.equal((await member.post(`/api/order/so/${order}/cancel/`)).status, 201)
    const restored = await member.post('/api/stock/count/', { items: [{ pk: items.board, quantity: initialQuantity }] })
    assert.equal(restored.status, 201, restored.text)
  })

  it('requires the permission to post counts', async () => {
    const page = await openConsole(service, 'viewer', `/stock/count/${locations.shelf}/`)
    await page.getByText('You do not have permission to view this').waitFor()
    assert.equal(await page.locator('main').getByRole('button').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Count', exact: true }).count(), 0)
    await assertAccessible(page)
  })

  it('posts nothing when stock was taken during the count, and shows the new expected quantity', async () => {
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    const line = page.getByRole('row').filter({ hasText: 'Sensor board' })
    const readQuantity = async () => (await service.member.get(`/api/stock/${items.board}/`)).body.quantity
    const before = await readQuantity()
    await line.getByRole('textbox').fill(String(before - 1))
    await line.locator('td.difference').getByText('−1', { exact: true }).waitFor()
    const removal = await service.member.post('/api/stock/remove/', { items: [{ pk: items.board, quantity: 2 }] })
    assert.equal(removal.status, 201, removal.text)
    // the current quantities arrive late
    await page.route(/\/api\/(web\/read|stock)\//, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue().catch(() => {})
    })
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('Someone else changed: Sensor board.').waitFor()
    await line.locator('td.difference').getByText('+1', { exact: true }).waitFor()
    assert.equal(await readQuantity(), before - 2)
    // a user who presses it twice has not read the message
    await page.keyboard.press('Control+Enter')
    await page.waitForTimeout(1_000)
    assert.equal(await readQuantity(), before - 2)
    await page.unroute(/\/api\/(web\/read|stock)\//)
    await line.getByRole('textbox').fill(String(before - 3))
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 count posted').waitFor()
    assert.equal(await readQuantity(), before - 3)
    // the following tests start with the same stock
    const restoreResponse = await service.member.post('/api/stock/add/', { items: [{ pk: items.board, quantity: 3 }] })
    assert.equal(restoreResponse.status, 201, restoreResponse.text)
  })

  it('shows the error and posts nothing when the service rejects the count', async () => {
    const [line] = await service.rows('select pk from stock_item where pk = $1', [items.board])
    assert.ok(line)
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    await page.getByLabel('Counted quantity of Sensor board').fill('5')
    await page.getByLabel('Counted quantity of Cable').fill('99999999999999999999')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').locator('.problem').waitFor()
    assert.equal((await service.member.get(`/api/stock/${items.board}/`)).body.quantity, 28)
  })

  it('posts quantities once when the missing serial numbers are rejected', async () => {
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    const counts: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/stock/count/')) counts.push(request.postData() ?? '')
    })
    await page.route('**/api/stock/change_status/', (route) => route.fulfill({ status: 400, json: { detail: 'Not now' } }))
    const sensor = page.locator(`input[data-item="${items.sensor}"]`)
    await page.getByLabel('Counted quantity of Sensor board').fill('26')
    await sensor.fill('0')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('Not now').waitFor()
    assert.equal(await page.getByLabel('Counted quantity of Sensor board').inputValue(), '')
    assert.equal(await sensor.inputValue(), '0')
    await page.unrouteAll()
    await page.keyboard.press('Control+Enter')
    await page.getByText('0 of 3 counted').waitFor()
    assert.equal(counts.length, 1)
    assert.equal((await service.member.get(`/api/stock/${items.board}/`)).body.quantity, 26)
  })
})

describe('counting a shelf of six hundred items', { skip: cannotBrowse }, () => {
  it('is split into pages, and a keystroke re-renders only its own line', async () => {
    await service.rows(
      `insert into stock_item (part, quantity, location, batch, purchase_price_currency)
       select $1, i, $2, lpad(i::text, 3, '0'), 'EUR' from generate_series(1, 600) i`,
      [parts.cable, locations.bench],
    )
    const page = await openConsole(service, 'member', `/stock/count/${locations.bench}/`)
    await page.getByText('Items 1 to 500 of 600.').waitFor()
    await page.getByText('0 of 500 counted').waitFor()
    const rows = page.locator('.editable-grid tbody tr')
    // rows in view are rendered first
    await rows.nth(499).waitFor()
    assert.equal(await rows.count(), 500)
    await capturePage(page, 'count-many')
    const field = page.locator('.editable-grid input').nth(250)
    await field.focus()
    // measures the numbers that a key formats, and not the speed of this machine
    await page.evaluate(() => {
      const created = { count: 0 }
      Object.assign(window, { made: created })
      const original = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format')
      Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
        get() {
          created.count++
          return original?.get?.call(this)
        },
      })
    })
    await page.keyboard.type('72,5')
    await page.getByText('1 of 500 counted').waitFor()
    const created = await page.evaluate(() => (window as unknown as { made: { count: number } }).made.count)
    assert.ok(created > 0 && created < 100, `${created} numbers were formatted for four keys`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 count posted').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Items 501 to 600 of 600.').waitFor()
    await page.getByText('0 of 100 counted').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('Items 1 to 500 of 600.').waitFor()
  })

  it('posts quantities with five decimals exactly', async () => {
    const [item] = await service.rows(
      `insert into stock_item (part, quantity, location, purchase_price_currency) values ($1, 0.3, $2, 'EUR') returning pk`,
      [parts.cable, locations.store],
    )
    const page = await openConsole(service, 'member', `/stock/count/${locations.store}/`)
    await page.locator(`input[data-item="${item.pk}"]`).fill('1234567890.12345')
    await page.locator('td.difference').getByText('+1,234,567,889.82345 m').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('1 count posted').waitFor()
    assert.deepEqual(await service.rows('select quantity::text from stock_item where pk = $1', [item.pk]), [
      { quantity: '1234567890.12345' },
    ])
  })

  it('can be undone by a key right after posting, from any line', async () => {
    const before = (await service.member.get(`/api/stock/${items.resistors}/`)).body.quantity
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    await page.getByRole('textbox', { name: /^Counted quantity of R-10K/ }).fill('4100')
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 count posted').waitFor()
    await page.waitForFunction(() => document.activeElement?.localName === 'h1')
    await page.keyboard.press('u')
    await page.getByText('Undone: 1 count posted').waitFor()
    assert.equal((await service.member.get(`/api/stock/${items.resistors}/`)).body.quantity, before)
  })

  it('is undone in full, including a missing serial number, or not at all', async () => {
    const [line] = await service.rows(
      `insert into stock_item (part, quantity, location, serial, purchase_price_currency)
       select part, 1, location, '1009', 'EUR' from stock_item where pk = $1 returning pk`,
      [items.sensor],
    )
    const missing = Number(line?.pk)
    const readItem = async (pk: number) => (await service.member.get(`/api/stock/${pk}/`)).body
    const before = (await readItem(items.resistors)).quantity
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    const postCount = async () => {
      await page.getByRole('textbox', { name: /^Counted quantity of R-10K/ }).fill('4100')
      await page.locator(`input[data-item="${missing}"]`).fill('0')
      await page.keyboard.press('Control+Enter')
      await page.locator(`input[data-item="${missing}"]`).waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.localName === 'h1')
      assert.deepEqual([(await readItem(missing)).status, (await readItem(items.resistors)).quantity], [70, 4100])
    }
    await postCount()
    await page.keyboard.press('u')
    await page.getByText('Undone: 2 counts posted').waitFor()
    assert.deepEqual([(await readItem(missing)).status, (await readItem(items.resistors)).quantity], [10, before])
    await page.locator(`input[data-item="${missing}"]`).waitFor()
    await postCount()
    const added = await service.member.post('/api/stock/add/', { items: [{ pk: items.resistors, quantity: 1 }] })
    assert.equal(added.status, 201, added.text)
    await page.keyboard.press('u')
    await page.getByText(/^Cannot undo\. /).waitFor()
    assert.deepEqual([(await readItem(missing)).status, (await readItem(items.resistors)).quantity], [70, 4101])
    const restoreResponse = await service.member.post('/api/stock/count/', { items: [{ pk: items.resistors, quantity: before }] })
    assert.equal(restoreResponse.status, 201, restoreResponse.text)
  })

  it('shows the name and the difference of each line on a phone', async () => {
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`, {
      viewport: { width: 390, height: 844 },
    })
    const line = page.getByRole('row').filter({ hasText: 'Resistor' })
    assert.equal(await line.getByRole('link').innerText(), 'Resistor 10 kΩ 0603')
    await line.getByText('R-10K-0603', { exact: true }).waitFor()
    await line.getByRole('textbox').fill('4100')
    assert.match(await line.locator('.difference:visible').innerText(), /^[+−][\d,]+$/)
    assert.equal(await page.getByRole('columnheader', { name: 'Difference' }).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'count-phone')
    await line.getByRole('textbox').fill('')
  })

  it('asks to confirm an unusual count, and reports text that is not a number', async () => {
    const page = await openConsole(service, 'member', `/stock/count/${locations.shelf}/`)
    const field = page.getByRole('textbox', { name: /^Counted quantity of R-10K/ })
    await field.fill('many')
    await page.getByRole('alert').getByText('Enter a number, for example 1.5.').waitFor()
    await assertAccessible(page)
    await field.fill('1000000000')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm the quantity' })
    await dialog.getByText('1,000,000,000').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { body } = await service.member.get(`/api/stock/${items.resistors}/`)
    assert.notEqual(body.quantity, 1_000_000_000)
    await field.fill('')
  })
})

/** Waits until the field of a line has the focus. */
const waitForFocus = (page: import('playwright-core').Page, line: number) =>
  page.waitForFunction((index) => document.activeElement === document.querySelectorAll('.editable-grid input')[index], line)
