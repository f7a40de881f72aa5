import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../../testing/objects/purchasing.ts'
import { assertCallers, type Client, type TestResponse, testService } from '../../../../testing/service.ts'

const service = await testService()
const { supplier, supplierPart, location } = createPurchaseHelpers(service)
const { member, superuser } = service
const shelf = await location()
let number = 0

/** Creates a placed order with two lines: packs of 5, and a part with serial numbers. */
async function placeOrder(): Promise<{ order: number; packs: number; tracked: number }> {
  const company = await supplier()
  const order = (await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: company })).body.pk as number
  const createLine = async (options: object, quantity: number): Promise<number> =>
    (await member.post('/api/order/po-line/', { order, part: await supplierPart(company, options), quantity })).body.pk
  const [packs, tracked] = [await createLine({ pack: '5' }, 4), await createLine({ trackable: true }, 3)]
  assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
  return { order, packs, tracked }
}

const receive = (order: number, items: object[], options: object = {}) =>
  member.post(`/api/order/po/${order}/receive/`, { location: shelf, items, undoable: true, ...options })

/** Receives the items, and returns the UUID for undoing that. */
async function receiveUndoable(order: number, items: object[]): Promise<string> {
  const { status, body, text } = await receive(order, items)
  assert.equal(status, 201, text)
  assert.match(body.delivery, /^[\da-f-]{36}$/)
  assert.deepEqual(['undoable' in body, 'stock_items' in body.items[0]], [false, false])
  return body.delivery
}

const undo = (order: number, id: string, client: Client = member) => client.post(`/api/order/po/${order}/delivery/${id}/undo/`)
const listStock = async (order: number): Promise<number[]> =>
  (await member.get(`/api/stock/?purchase_order=${order}`)).body.results.map(({ pk }: { pk: number }) => pk)

/** Reads the order, its lines and its total, as clients see them. */
async function readState(order: number) {
  const { status, complete_date, received_by, total_price, completed_lines } = (await member.get(`/api/order/po/${order}/`)).body
  const lines = (await member.get(`/api/order/po-line/?order=${order}`)).body.results
  const received = lines.map((line: { received: number }) => line.received)
  return { status, complete_date, received_by, total_price, completed_lines, received }
}

function assertRejected(response: TestResponse, text: RegExp) {
  assert.equal(response.status, 400, response.text)
  assert.match(response.body.non_field_errors.join(), text)
}

describe('POST /api/order/po/{id}/delivery/{delivery}/undo/', () => {
  it('undoes a whole delivery, once, and reopens the order that it completed', async () => {
    const { order, packs, tracked } = await placeOrder()
    const before = await readState(order)
    const id = await receiveUndoable(order, [
      { line_item: packs, quantity: 3, batch_code: 'A' },
      { line_item: tracked, quantity: 3, serial_numbers: '1-3' },
      { line_item: packs, quantity: 1, batch_code: 'B' },
    ])
    assert.deepEqual([(await readState(order)).status, (await listStock(order)).length], [30, 5])
    const { status, body } = await undo(order, id)
    assert.deepEqual([status, body.stock_items.length], [201, 5])
    assert.deepEqual([await readState(order), await listStock(order)], [before, []])
    assertRejected(await undo(order, id), /^It was already undone$/)
    // the serial numbers are available again
    await receiveUndoable(order, [{ line_item: tracked, quantity: 3, serial_numbers: '1-3' }])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  it('undoes a delivery that was a part of the order', async () => {
    const { order, packs } = await placeOrder()
    await receive(order, [{ line_item: packs, quantity: 1 }])
    const before = await readState(order)
    const stock = await listStock(order)
    const id = await receiveUndoable(order, [{ line_item: packs, quantity: '1.5' }])
    assert.equal((await undo(order, id)).status, 201)
    assert.deepEqual([await readState(order), await listStock(order)], [before, stock])
  })

  it('undoes nothing after a later change, and names that change', async () => {
    const { order, packs, tracked } = await placeOrder()
    const id = await receiveUndoable(order, [
      { line_item: packs, quantity: 1 },
      { line_item: tracked, quantity: 1, serial_numbers: '1' },
    ])
    const [first] = (await listStock(order)) as [number]
    const remaining = await readState(order)
    await superuser.post('/api/stock/remove/', { items: [{ pk: first, quantity: 2 }] })
    assertRejected(await undo(order, id), new RegExp(`^Stock item ${first} has a quantity of 3 instead of 5$`))
    assert.deepEqual([await readState(order), (await listStock(order)).length], [remaining, 2])
    const other = await placeOrder()
    const rest = await receiveUndoable(other.order, [{ line_item: other.packs, quantity: 4 }])
    assert.equal((await member.post(`/api/order/po/${other.order}/complete/`, { accept_incomplete: true })).status, 201)
    assertRejected(await undo(other.order, rest), /is no longer placed/)
  })

  it('lets its barcodes be received once more', async () => {
    const { order, packs } = await placeOrder()
    const entry = { line_item: packs, quantity: 1, barcode: 'Delivery 7' }
    const id = await receiveUndoable(order, [entry])
    assert.equal((await receive(order, [entry])).status, 400)
    assert.equal((await undo(order, id)).status, 201)
    await receiveUndoable(order, [entry])
  })

  it('succeeds once for concurrent requests', async () => {
    const { order, packs } = await placeOrder()
    const id = await receiveUndoable(order, [{ line_item: packs, quantity: 4 }])
    const responses = await Promise.all(Array.from({ length: 4 }, () => undo(order, id)))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400])
    assert.deepEqual((await readState(order)).received[0], 0)
  })

  it('requires the caller who received it and the same order, and rejects other undo records', async () => {
    const { order, packs } = await placeOrder()
    const id = await receiveUndoable(order, [{ line_item: packs, quantity: 1 }])
    assert.equal((await undo(order, id, superuser)).status, 404)
    await assertCallers(service, (client) => undo(order, id, client), ['member', 'superuser'])
    const second = await placeOrder()
    const ownDelivery = await receiveUndoable(second.order, [{ line_item: second.packs, quantity: 1 }])
    for (const response of [
      await undo(order, ownDelivery),
      await undo(order, crypto.randomUUID()),
      await undo(order, '7'),
      await member.post(`/api/stock/adjustment/${ownDelivery}/undo/`),
    ])
      assert.deepEqual([response.status, response.body], [404, { detail: 'Not found.' }])
  })

  it('is unavailable if not requested, or for very large deliveries', async () => {
    const { order, packs, tracked } = await placeOrder()
    const plain = await receive(order, [{ line_item: packs, quantity: 1 }], { undoable: false })
    assert.equal('delivery' in plain.body, false)
    const manyUnits = { line_item: tracked, quantity: 1001, serial_numbers: '1-1001' }
    assert.equal((await receive(order, [manyUnits], { allow_over_receipt: true })).body.delivery, null)
  })
})
