import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { printing } from '../../../testing/printing.ts'
import { purchasing } from '../../../testing/purchasing.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, consoleOf, looksAt } from '../../testing/console.ts'
import { keysOf } from '../../testing/keys.ts'

const service = await testService(await printing())
const { member } = service
const { location } = purchasing(service)

async function made(path: string, body: object): Promise<number> {
  const answer = await member.post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.pk
}
const supplier = await made('/api/company/', { name: 'Brightwell Components', is_supplier: true, currency: 'EUR' })
const shelf = await location()
const category = await made('/api/part/category/', { name: 'Parts' })
let number = 0

type Line = { name: string; pack?: string; trackable?: boolean; quantity?: number; price?: string; units?: string }

/** A supplier part of a part of its own. */
async function supplierPart({ name, pack, trackable = false, units = '' }: Line): Promise<number> {
  const part = await made('/api/part/', {
    name,
    category,
    description: `${name}, as the catalogue has it`,
    purchaseable: true,
    trackable,
    units,
  })
  return made('/api/company/part/', { part, supplier, SKU: `BW-${++number}`, ...(pack ? { pack_quantity: pack } : {}) })
}

/** An order with these lines, all of which go to the shelf; placed unless said otherwise. */
async function orderOf(lines: Line[], { isPlaced = true, description = 'Parts for the week' } = {}): Promise<number> {
  const order = await made('/api/order/po/', { reference: `PO-${1000 + ++number}`, supplier, description })
  for (const line of lines)
    await made('/api/order/po-line/', {
      order,
      part: await supplierPart(line),
      quantity: line.quantity ?? 10,
      purchase_price: line.price ?? '2.5',
      purchase_price_currency: 'EUR',
      destination: shelf,
    })
  if (isPlaced) assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
  return order
}
const orderNow = async (pk: number) => (await member.get(`/api/order/po/${pk}/`)).body
const linesOf = async (pk: number): Promise<{ pk: number; quantity: number; received: number; notes: string }[]> =>
  (await member.get(`/api/order/po-line/?order=${pk}`)).body.results

describe('purchase orders', { skip: cannotBrowse }, () => {
  it('are an empty table that says what they are for', async () => {
    const other = await testService()
    const page = await consoleOf(other, 'member', '/order/purchase-order/')
    await page.getByText('No purchase orders yet').waitFor()
    await assertAccessible(page)
    await looksAt(page, 'purchase-orders-empty')
  })

  it('are written and issued by keys alone: the order, its lines, their quantities', async () => {
    await supplierPart({ name: 'Toggle switch' })
    const page = await consoleOf(service, 'member', '/order/purchase-order/')
    await page.getByRole('button', { name: 'New purchase order' }).first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByLabel('Supplier', { exact: true }).waitFor()
    await assertAccessible(page)
    await page.keyboard.type('bright')
    await page.getByRole('option', { name: /Brightwell/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/purchase-order\/\d+\/$/)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('a')
    await page.keyboard.type('toggle')
    await page.getByRole('option', { name: /Toggle switch/ }).waitFor()
    await page.keyboard.press('Enter')
    // the quantity of the new line is what one types next
    await page.locator('td.editing input').waitFor()
    await page.keyboard.type('25')
    await page.keyboard.press('Enter')
    await page.locator('td:not(.editing)').getByText('25', { exact: true }).waitFor()
    const pk = Number(/(\d+)\/$/.exec(page.url())?.[1])
    assert.deepEqual(
      (await linesOf(pk)).map(({ quantity }) => quantity),
      [25],
    )
    await page.keyboard.press('i')
    await page.getByRole('dialog').getByText('counts as placed').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Placed', { exact: true }).waitFor()
    assert.equal((await orderNow(pk)).status, 20)
  })

  it('are found by filters that are seldom wanted', async () => {
    await orderOf([{ name: 'Rotary switch' }])
    await orderOf([{ name: 'Slide switch' }])
    const { body } = await member.get('/api/part/?name_contains=Slide')
    const page = await consoleOf(service, 'member', `/order/purchase-order/?part=${body.results[0].pk}`)
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1 row', { exact: true }).waitFor({ state: 'detached' })
  })

  it('have lines that are edited in place, as in a sheet', async () => {
    const pk = await orderOf(
      [
        { name: 'Film capacitor with a name that is long enough to be broken into lines', pack: '40', price: '12.5' },
        { name: 'Knob', price: '0.8' },
      ],
      {
        isPlaced: false,
        description: 'What the third batch of the instruments lacks, and some spare parts for the repair of the second',
      },
    )
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('grid', { name: 'Lines' }).waitFor()
    await assertAccessible(page)
    await looksAt(page, 'purchase-order')
    await page.keyboard.press('ArrowDown')
    // the quantity of the first line: past the reference
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('6')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByText('= 280').waitFor()
    // below it, by what is typed
    await page.locator('[data-at="1-2"]:focus').waitFor()
    await page.keyboard.type('12')
    await page.keyboard.press('Tab')
    await page.locator('[data-at="1-4"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('abc')
    await page.keyboard.press('Enter')
    await page.locator('.cells-problem').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(
      (await linesOf(pk)).map(({ quantity }) => quantity),
      [7, 12],
    )
    assert.equal(await page.locator('.strip').getByText('EUR 97.10').count(), 1)
  })

  it('lose a line when somebody says so twice, and no other line by a second click', async () => {
    const pk = await orderOf([{ name: 'Fuse' }, { name: 'Fuse holder' }], { isPlaced: false })
    const [fuse, holder] = await linesOf(pk)
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'Delete the line Fuse', exact: true }).dblclick({ delay: 20 })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await linesOf(pk)).length, 2)
    await page.getByRole('button', { name: 'Delete the line Fuse', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the line Fuse?', exact: true })
    await dialog.waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Line deleted').waitFor()
    assert.deepEqual(
      (await linesOf(pk)).map((line) => line.pk),
      [holder?.pk],
      `the line ${fuse?.pk} alone is gone`,
    )
  })

  it('take one extra line for a double click', async () => {
    const pk = await orderOf([], { isPlaced: false })
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'Add an extra line' }).dblclick({ delay: 50 })
    await page.locator('td.editing input').waitFor()
    assert.equal((await member.get(`/api/order/po-extra-line/?order=${pk}&limit=5`)).body.count, 1)
  })

  it('keep the cell that is typed in, when the save of the one before ends late', async () => {
    const pk = await orderOf([{ name: 'Slow relay' }], { isPlaced: false })
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    let letGo = () => {}
    const late = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let changes = 0
    await page.route('**/api/order/po-line/*/', async (route) => {
      if (route.request().method() === 'PATCH' && ++changes === 1) await late
      return route.continue()
    })
    await page.locator('[data-at="0-2"]').click()
    await page.locator('[data-at="0-2"] input').waitFor()
    await page.keyboard.type('30')
    await page.locator('[data-at="0-8"]').click()
    const notes = page.locator('[data-at="0-8"] input, [data-at="0-8"] textarea')
    await notes.waitFor()
    await page.keyboard.type('1234')
    letGo()
    // the first save has ended
    await page.locator('[data-at="0-2"]').getByText('30', { exact: true }).waitFor()
    await page.keyboard.type('56')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-8"]:not(.editing)').getByText('123456').waitFor()
    const [line] = await linesOf(pk)
    assert.deepEqual([line?.quantity, line?.notes, changes], [30, '123456', 2])
    // looked into, and left as it is
    await page.locator('[data-at="0-2"]').click()
    await page.locator('[data-at="0-2"] input').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-2"]:not(.editing)').waitFor()
    assert.equal(changes, 2)
  })

  it('say where a cell is that was refused after another was opened, and keep what was typed', async () => {
    const pk = await orderOf([{ name: 'Refused relay' }], { isPlaced: false })
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    const quantity = page.locator('[data-at="0-2"]')
    await quantity.click()
    await page.keyboard.type('3x')
    const refused = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.locator('[data-at="0-8"]').click()
    const notes = page.locator('[data-at="0-8"] input, [data-at="0-8"] textarea')
    await notes.waitFor()
    assert.equal((await refused).status(), 400)
    await page.getByText(/^Refused relay, Ordered: “3x” is not saved\. ./).waitFor()
    // whoever types is not interrupted
    await page.keyboard.type('By bicycle')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-8"]:not(.editing)').getByText('By bicycle').waitFor()
    assert.equal(await quantity.locator('input').inputValue(), '3x')
    assert.equal(await quantity.getByRole('alert').count(), 1)
    await assertAccessible(page)
    await looksAt(page, 'purchase-line-refused')
    await quantity.locator('input').click()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-2"]:not(.editing)').getByText('3', { exact: true }).waitFor()
    const [line] = await linesOf(pk)
    assert.deepEqual([line?.quantity, line?.notes], [3, 'By bicycle'])
  })

  it('save one cell of a line after the other, however quickly they come', async () => {
    const pk = await orderOf([{ name: 'Quick relay' }], { isPlaced: false })
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    let letGo = () => {}
    const late = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const sent: string[] = []
    await page.route('**/api/order/po-line/*/', async (route) => {
      if (route.request().method() === 'PATCH') sent.push(String(route.request().headers()['if-match']))
      if (sent.length === 1) await late
      return route.continue()
    })
    await page.locator('[data-at="0-2"]').click()
    await page.locator('[data-at="0-2"] input').waitFor()
    await page.keyboard.type('30')
    await page.locator('[data-at="0-8"]').click()
    await page.locator('[data-at="0-8"] input, [data-at="0-8"] textarea').waitFor()
    await page.keyboard.type('At once')
    await page.keyboard.press('Enter')
    letGo()
    await page.locator('[data-at="0-8"]:not(.editing)').getByText('At once').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    const [line] = await linesOf(pk)
    assert.deepEqual([line?.quantity, line?.notes], [30, 'At once'])
    assert.equal(new Set(sent).size, 2)
  })

  it('are not overwritten by two people: both versions of a line are shown, and one is chosen', async () => {
    const pk = await orderOf([{ name: 'Loudspeaker', quantity: 4 }])
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    const cell = page.locator('[data-at="0-8"]')
    await cell.click()
    await page.keyboard.type('By bicycle')
    const [line] = await linesOf(pk)
    assert.equal((await service.superuser.patch(`/api/order/po-line/${line?.pk}/`, { notes: 'By train' })).status, 200)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.locator('tbody td').allTextContents(), ['By bicycle', 'By train'])
    await assertAccessible(page)
    await looksAt(page, 'purchase-line-conflict')
    await dialog.getByRole('button', { name: 'Take the other version' }).click()
    await cell.getByText('By train').waitFor()
    assert.equal((await linesOf(pk))[0]?.notes, 'By train')
  })

  it('are received by keys: three lines, serial numbers among them, in 16 keys', async () => {
    const pk = await orderOf([
      { name: 'Battery AA', pack: '40', quantity: 5 },
      { name: 'Battery clip', quantity: 250 },
      { name: 'Main board', trackable: true, quantity: 5 },
    ])
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('link', { name: 'Receive' }).waitFor()
    const keys = keysOf(page)
    await keys.press('r')
    await page.locator('[data-field="packs"]:focus').waitFor()
    // the batteries came in full; of the clips fewer; the boards are told apart
    await keys.press('Enter')
    await keys.type('200')
    await keys.press('Enter', 'Tab')
    await keys.type('101-105')
    await page.getByText('5: 101, 102 … 105').waitFor()
    await looksAt(page, 'receive')
    await assertAccessible(page)
    await keys.press('Control+Enter')
    await page.getByText('7 stock items came in').waitFor()
    assert.ok(keys.pressed <= 16, `it took ${keys.pressed} keys`)
    await assertAccessible(page)
    await looksAt(page, 'received')
    assert.deepEqual(
      (await linesOf(pk)).map(({ received }) => received),
      [5, 200, 5],
    )
    const { body: stock } = await member.get(`/api/stock/?purchase_order=${pk}&ordering=pk`)
    assert.deepEqual(
      stock.results.map(({ quantity, serial }: { quantity: number; serial: string | null }) => serial ?? quantity),
      [200, 200, '101', '102', '103', '104', '105'],
    )
    // the labels of what came: the key that has the focus, and the one that prints
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Print 7 labels' }).last().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Print 7 labels' }).click()
    await page.getByRole('link', { name: 'Open the PDF' }).waitFor({ timeout: 60_000 })
  })

  it('tell at the line what is refused, and receive more than was ordered when they are told to', async () => {
    const pk = await orderOf([
      { name: 'Display', quantity: 3 },
      { name: 'Driver board', trackable: true, quantity: 2 },
    ])
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.type('4')
    await page.getByLabel('Serial numbers: Driver board').fill('7, 7')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'More came than was ordered' })
    await dialog.getByText('Display: 1 more than ordered, 4 in all.').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.locator('.receive-row', { hasText: 'Driver board' }).getByRole('alert').getByText('Duplicate serial: 7').waitFor()
    await assertAccessible(page)
    await looksAt(page, 'receive-refused')
    assert.equal((await linesOf(pk))[0]?.received, 0)
    await page.getByLabel('Serial numbers: Driver board').fill('7, 8')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('3 stock items came in').waitFor()
    assert.deepEqual(
      (await linesOf(pk)).map(({ received }) => received),
      [4, 2],
    )
  })

  it('are received once, however often the key is pressed', async () => {
    const pk = await orderOf([{ name: 'Cable', quantity: 6 }])
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.type('2')
    // the first answer is lost on its way
    let isLost = false
    await page.route('**/receive/?stock_items=true', async (route) => {
      if (isLost) return route.continue()
      isLost = true
      await route.fetch()
      return route.abort()
    })
    await page.keyboard.press('Control+Enter')
    await page.getByText('The service cannot be reached').first().waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 stock item came in').waitFor()
    assert.equal((await linesOf(pk))[0]?.received, 2)
  })

  it('are received page by page where they are very long, and what is typed on one stays there', async () => {
    const pk = await orderOf([{ name: 'Bead', quantity: 1 }])
    await service.rows(
      `insert into purchase_order_line ("order", part, quantity, received, purchase_price_currency, destination)
       select "order", part, 1, 0, purchase_price_currency, destination from purchase_order_line, generate_series(1, 501)
       where "order" = ${pk}`,
    )
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.getByText('Lines 1 to 500 of 502').waitFor()
    await page.getByRole('button', { name: 'Empty all amounts' }).click()
    await page.locator('[data-field="packs"]').first().fill('1')
    await page.getByRole('link', { name: 'Further lines' }).click()
    await page.getByText('Lines 501 to 502 of 502').waitFor()
    assert.equal(await page.locator('[data-field="packs"]').count(), 2)
    await page.getByRole('link', { name: 'Lines before' }).click()
    await page.getByRole('button', { name: 'Receive 1 line' }).waitFor()
    await page.getByRole('link', { name: 'Further lines' }).click()
    await page.getByText('Lines 501 to 502 of 502').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 stock items came in').waitFor()
    assert.equal((await member.get(`/api/order/po-line/?order=${pk}&received=true&limit=1`)).body.count, 2)
    await page.getByRole('button', { name: 'Receive more' }).click()
    await page.getByText('Nothing here can be received').waitFor()
    await page.getByRole('link', { name: 'Lines before' }).click()
    await page.locator('[data-field="packs"]:focus').waitFor()
  })

  it('are received by Cmd and Enter, as on a Mac', async () => {
    const pk = await orderOf([{ name: 'Apple screw', quantity: 2 }])
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]').first().focus()
    await page.keyboard.press('Meta+Enter')
    await page.getByText('1 stock item came in').waitFor()
    assert.equal((await linesOf(pk))[0]?.received, 2)
  })

  it('are printed, as each template for them has it', async () => {
    const pk = await orderOf([{ name: 'Screw' }])
    const page = await consoleOf(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'More' }).click()
    const template = page.locator('.menu-content button').first()
    await template.waitFor()
    await assertAccessible(page)
    // in a window of its own
    const file = page.context().waitForEvent('response', { predicate: (one) => /\/media\//.test(one.url()), timeout: 60_000 })
    await template.click()
    const answer = await file
    assert.deepEqual([answer.status(), answer.headers()['content-type']], [200, 'application/pdf'])
    await page.getByText('Printed').waitFor()
  })

  it('show a reader no button, and nothing to edit', async () => {
    const pk = await orderOf([{ name: 'Felt' }])
    const page = await consoleOf(service, 'viewer', `/order/purchase-order/${pk}/`)
    await page.getByText('Placed', { exact: true }).waitFor()
    const main = page.locator('main')
    assert.deepEqual(await main.getByRole('button').allTextContents(), [''])
    assert.equal(await main.getByRole('button', { name: 'More' }).count(), 1)
    assert.equal(await main.getByRole('combobox').count(), 0)
    assert.equal(await main.locator('td.edited').count(), 0)
    await page.goto(`/order/purchase-order/${pk}/receive/`)
    await page.getByText('Nothing can be received for this order').waitFor()
    await assertAccessible(page)
  })
})
