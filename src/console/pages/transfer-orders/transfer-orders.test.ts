import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { preparePrinting } from '../../../testing/printing.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService(await preparePrinting())
const { member } = service

const create = createObjectsAs(member)
const category = await create('/api/part/category/', { name: 'Electronics' })
const store = await create('/api/stock/location/', { name: 'Store' })
const shelf = await create('/api/stock/location/', { name: 'Shelf A', parent: store })
const attic = await create('/api/stock/location/', { name: 'Attic' })
const bench = await create('/api/stock/location/', { name: 'Bench' })

const readAllocations = async (order: number) =>
  (await member.get(`/api/order/transfer-order-allocation/?order=${order}`)).body.results as { item: number; quantity: number }[]
const readOrder = async (order: number) => (await member.get(`/api/order/transfer-order/${order}/`)).body
const readItem = async (item: number) => (await member.get(`/api/stock/${item}/`)).body

let lastNumber = 0
/** Creates a part with 5 in the attic and 8 on the shelf of the store, and an order for some of it. */
async function createOrder(
  quantity: number,
  { isIssued = true, ...fields }: { isIssued?: boolean } & Record<string, unknown> = {},
) {
  const number = ++lastNumber
  const part = await create('/api/part/', { name: `Sensor ${number}`, category })
  const inAttic = await create('/api/stock/', { part, quantity: 5, location: attic })
  const onShelf = await create('/api/stock/', { part, quantity: 8, location: shelf })
  const order = await create('/api/order/transfer-order/', {
    reference: `TO-${number}000`,
    description: 'For the bench',
    take_from: store,
    destination: bench,
    ...fields,
  })
  await create('/api/order/transfer-order-line/', { order, part, quantity })
  if (isIssued) assert.equal((await member.post(`/api/order/transfer-order/${order}/issue/`)).status, 201)
  return { order, part, inAttic, onShelf }
}

describe('the transfer order pages', { skip: cannotBrowse }, () => {
  it('show an empty state that explains transfer orders', async () => {
    const other = await testService()
    const page = await openConsole(other, 'member', '/order/transfer-order/')
    await page.getByText('No transfers yet').waitFor()
    await assertAccessible(page)
  })

  it('create an order, add a line, issue it, allocate stock of the source, and move it to the destination', async () => {
    const { part, inAttic, onShelf } = await createOrder(1)
    const page = await openConsole(service, 'member', '/order/transfer-order/')
    await page.getByRole('button', { name: 'New transfer' }).first().click()
    const form = page.getByRole('dialog', { name: 'New transfer' })
    for (const [field, location] of [
      ['Take stock from', 'Store'],
      ['Destination', 'Bench'],
    ] as const) {
      await form.getByLabel(field).click()
      await page.keyboard.type(location)
      await page.getByRole('option', { name: location }).first().click()
    }
    await capturePage(page, 'transfer-new')
    await assertAccessible(page)
    await form.getByRole('button', { name: /Create|Save/ }).click()
    await page.waitForURL(/transfer-order\/\d+\//)
    const order = Number(/(\d+)\/$/.exec(page.url())?.[1])
    await page.getByLabel('Add line').click()
    await page.keyboard.type(`Sensor ${lastNumber}`)
    await page.getByRole('option', { name: `Sensor ${lastNumber}` }).click()
    const quantity = page.locator('.cell-editor input, td input').first()
    await quantity.waitFor()
    await quantity.fill('9')
    await page.keyboard.press('Enter')
    await page.getByText('0 / 9').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('button', { name: 'Allocate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByText('9 required').waitFor()
    // what is elsewhere is offered, but not proposed
    assert.deepEqual(
      await dialog.locator('input').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
      ['8', ''],
    )
    await capturePage(page, 'transfer-allocate')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Allocate 1 stock item' }).click()
    await page.getByRole('heading', { name: 'Allocated stock' }).waitFor()
    assert.deepEqual(
      (await readAllocations(order)).map(({ item, quantity }) => [item, quantity]),
      [[onShelf, 8]],
    )
    await capturePage(page, 'transfer-order')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Complete' }).click()
    const question = page.getByRole('dialog', { name: /Complete TO-/ })
    await question.getByText('To be moved to Bench: 1 stock item.').waitFor()
    await question.getByText('1 line has less stock allocated than required.').waitFor()
    await question.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('heading', { name: 'Transferred stock' }).waitFor()
    assert.equal((await readOrder(order)).status, 30)
    assert.equal((await readItem(onShelf)).location, bench)
    assert.deepEqual([(await readItem(inAttic)).location, (await readItem(inAttic)).quantity], [attic, 5])
    // a complete order offers nothing that would change it
    assert.equal(await page.getByRole('button', { name: /Allocate|Complete|Release/ }).count(), 0)
    await page.goto(`/stock/item/${onShelf}/`)
    await page.getByRole('link', { name: (await readOrder(order)).reference }).waitFor()
    assert.equal((await member.get(`/api/part/${part}/`)).body.in_stock, 13)
  })

  it('release allocated stock', async () => {
    const { order, onShelf } = await createOrder(3)
    const [line] = (await member.get(`/api/order/transfer-order-line/?order=${order}`)).body.results
    const items = [{ line_item: line.pk, stock_item: onShelf, quantity: 3 }]
    assert.equal((await member.post(`/api/order/transfer-order/${order}/allocate/`, { items })).status, 201)
    const page = await openConsole(service, 'member', `/order/transfer-order/${order}/`)
    await page.getByRole('button', { name: /^Release Sensor/ }).click()
    await page.getByRole('heading', { name: 'Allocated stock' }).waitFor({ state: 'detached' })
    assert.deepEqual(await readAllocations(order), [])
    assert.equal((await readItem(onShelf)).location, shelf)
  })

  it('use up stock instead of moving it, and say so before', async () => {
    const { order, onShelf } = await createOrder(2, { consume: true, destination: null })
    const page = await openConsole(service, 'member', `/order/transfer-order/${order}/?do=allocate`)
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByRole('button', { name: 'Allocate 1 stock item' }).click()
    await page.getByRole('heading', { name: 'Allocated stock' }).waitFor()
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('To be consumed: the allocated quantity of 1 stock item.').waitFor()
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click()
    await page.getByText('Stock consumed').waitFor()
    assert.equal((await readItem(onShelf)).quantity, 6)
  })

  it('explain that an order without a destination cannot be completed', async () => {
    const { order } = await createOrder(2, { destination: null })
    const page = await openConsole(service, 'member', `/order/transfer-order/${order}/`)
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText(/It has no destination/).waitFor()
    assert.equal((await readOrder(order)).status, 20)
  })

  it('show the error at the item when someone else took the stock', async () => {
    const { order, part, onShelf, inAttic } = await createOrder(2)
    const page = await openConsole(service, 'member', `/order/transfer-order/${order}/?do=allocate`)
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByText('2 required').waitFor()
    for (const [pk, quantity] of [
      [onShelf, 7],
      [inAttic, 5],
    ])
      assert.equal((await member.post('/api/stock/remove/', { items: [{ pk, quantity }] })).status, 201)
    await dialog.getByRole('button', { name: 'Allocate 1 stock item' }).click()
    await dialog.locator('[aria-invalid]').waitFor()
    assert.deepEqual(await readAllocations(order), [])
    assert.equal((await member.get(`/api/part/${part}/`)).body.in_stock, 1)
  })

  it('print an order, and attach files to it', async () => {
    const { order } = await createOrder(3)
    const template = `data:text/html,${encodeURIComponent('{{ reference }}')}`
    const routeSlip = { name: 'Route slip', description: 'For the cart', model_type: 'transferorder', template }
    assert.equal((await service.superuser.post('/api/report/template/', routeSlip)).status, 201)
    const page = await openConsole(service, 'member', `/order/transfer-order/${order}/`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'route.txt', mimeType: 'text/plain', buffer: Buffer.from('left') })
    await page.getByRole('link', { name: 'route.txt' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    // opens in its own window
    const file = page
      .context()
      .waitForEvent('response', { predicate: (candidate) => /\/media\//.test(candidate.url()), timeout: scaleTimeout(60_000) })
    await page.getByRole('button', { name: 'Route slip' }).click()
    const response = await file
    assert.deepEqual([response.status(), response.headers()['content-type']], [200, 'application/pdf'])
  })

  it('copy an order with its lines', async () => {
    const { order } = await createOrder(4)
    const page = await openConsole(service, 'member', `/order/transfer-order/${order}/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog', { name: /Duplicate of/ })
    await dialog.getByRole('button', { name: /Create|Save|Duplicate/ }).click()
    await page.waitForURL((url) => /\/\d+\/$/.test(url.pathname) && !url.pathname.endsWith(`/${order}/`))
    const copy = Number(/(\d+)\/$/.exec(page.url())?.[1])
    const { take_from, destination, status } = await readOrder(copy)
    assert.deepEqual([take_from, destination, status], [store, bench, 10])
    const { results } = (await member.get(`/api/order/transfer-order-line/?order=${copy}`)).body
    assert.deepEqual(
      results.map(({ quantity, allocated }: Record<string, number>) => [quantity, allocated]),
      [[4, 0]],
    )
  })

  it('are read-only without the permission to change them, and speak German', async () => {
    const { order } = await createOrder(1)
    const page = await openConsole(service, 'viewer', `/order/transfer-order/${order}/`, { locale: 'de-DE' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Freigegeben').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /Reservieren|Abschließen|Bearbeiten|stornieren/ }).count(), 0)
    await capturePage(page, 'transfer-order-de')
    await assertAccessible(page)
    await page.goto('/order/transfer-order/')
    await page.getByRole('heading', { name: 'Umlagerungen' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Neue Umlagerung' }).count(), 0)
  })

  it('list due transfers on the home page with the next action', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const { order } = await createOrder(1, { target_date: today })
    const { reference } = await readOrder(order)
    const page = await openConsole(service, 'member', '/')
    const row = page.getByRole('listitem').filter({ hasText: reference })
    await row.getByRole('link', { name: 'Allocate' }).click()
    await page.getByRole('dialog', { name: 'Allocate stock' }).waitFor()
  })
})
