import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { assertCallers, type TestResponse, testService } from '../../testing/service.ts'
import { fillStock } from '../stock/fixture.ts'
import { hashBarcode } from './barcode-hash.ts'

const path = '/api/barcode/so-allocate/'
const toBarcode = (item: number) => `{"stockitem": ${item}}`

const assertRejected = (response: TestResponse, error: string, action_required?: unknown) => {
  assert.equal(response.status, 400, response.text)
  assert.deepEqual([response.body.error, response.body.action_required], [error, action_required], response.text)
}

const service = await testService()
const { member } = service
const { part, sale, stock, line, shipment, ship, allocate, assertSums } = createSalesHelpers(service)
beforeEach(() => fillStock(service))
afterEach(() => assertSums())

const scan = (item: number, sales_order: number, body: object = {}) =>
  member.post(path, { barcode: toBarcode(item), sales_order, ...body })
const readAllocated = async (linePk: number) => (await member.get(`/api/order/so-line/${linePk}/`)).body.allocated
const issue = (order: number) => member.post(`/api/order/so/${order}/issue/`)

describe('POST /api/barcode/so-allocate/', () => {
  it('allocates as the body states, and repeats the sent fields in the response', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 6)
    const item = await stock(chair, 10)
    const body = {
      barcode: ` ${toBarcode(item)}`,
      sales_order: salesOrder.order,
      line: String(salesOrder.line),
      shipment: salesOrder.shipment,
      quantity: 4,
    }
    const response = await member.post(path, body)
    assert.equal(response.status, 201)
    assert.deepEqual(response.body, {
      ...body,
      stock_item: item,
      part: chair,
      line_item: salesOrder.line,
      allocation: { sales_order: salesOrder.order, shipment: salesOrder.shipment, quantity: 4 },
      success: 'Stock item allocated to sales order',
    })
    assert.equal(await readAllocated(salesOrder.line), 4)
    const { results } = (await member.get(`/api/order/so-allocation/?order=${salesOrder.order}`)).body
    assert.deepEqual(
      results.map((allocation: any) => [allocation.line, allocation.shipment, allocation.item, allocation.quantity]),
      [[salesOrder.line, salesOrder.shipment, item, 4]],
    )
  })

  it('determines line, shipment and quantity by itself, also for an issued order', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 6)
    await line(salesOrder.order, await part(), 3)
    await issue(salesOrder.order)
    const item = await stock(chair, 4)
    const { status, body } = await scan(item, salesOrder.order)
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual([body.line_item, body.shipment, body.quantity], [salesOrder.line, salesOrder.shipment, '4'])
    const second = await scan(await stock(chair, 10), salesOrder.order)
    assert.deepEqual([second.status, second.body.quantity], [201, '2'])
    assertRejected(await scan(await stock(chair, 10), salesOrder.order), 'No matching line item found')
    assert.equal(await readAllocated(salesOrder.line), 6)
  })

  it('chooses the line that is short of stock, and accepts a linked code', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 2)
    const item = await stock(chair, 10)
    await allocate(salesOrder, item, 2)
    const next = await line(salesOrder.order, chair, 3)
    await member.post('/api/barcode/link/', { barcode: 'chairs', stockitem: item })
    const { status, body } = await member.post(path, { barcode: 'chairs', sales_order: salesOrder.order })
    assert.deepEqual([status, body.line_item, body.quantity], [201, next, '3'])
  })

  it('accepts stock of a variant for a line of its template, but not the reverse', async () => {
    const template = await part({ is_template: true })
    const variant = await part({ variant_of: template })
    const salesOrder = await sale(template, 5)
    const item = await stock(variant, 3)
    assert.equal((await scan(item, salesOrder.order)).body.line_item, salesOrder.line)
    const variantOrder = await sale(variant, 5)
    const templateItem = await stock(template, 3)
    assertRejected(await scan(templateItem, variantOrder.order), 'No matching line item found')
    const errorResponse = await scan(templateItem, variantOrder.order, { line: variantOrder.line })
    assertRejected(errorResponse, 'Stock item does not match line item')
    assert.equal(errorResponse.body.barcode_hash, hashBarcode(toBarcode(templateItem)))
  })

  it('allocates 1 of a serialized item, whatever the quantity', async () => {
    const machine = await part({ trackable: true })
    const salesOrder = await sale(machine, 5)
    const item = await stock(machine, 1, { serial: '17' })
    const { status, body } = await scan(item, salesOrder.order, { quantity: 3 })
    assert.deepEqual([status, body.quantity, body.allocation.quantity], [201, 3, 1])
    assert.equal(await readAllocated(salesOrder.line), 1)
  })

  it('asks for the line or the shipment unless exactly one is possible', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 5)
    const item = await stock(chair, 10)
    const other = await line(salesOrder.order, chair, 5)
    const ambiguousResponse = await scan(item, salesOrder.order)
    assertRejected(ambiguousResponse, 'Multiple matching line items found', true)
    assert.deepEqual(ambiguousResponse.body.candidates, [salesOrder.line, other])
    const box = await shipment(salesOrder.order)
    const errorResponse = await scan(item, salesOrder.order, { line: other })
    assertRejected(errorResponse, 'Not enough information', true)
    assert.deepEqual(
      [errorResponse.body.candidates, errorResponse.body.shipment, errorResponse.body.quantity],
      [[salesOrder.shipment, box], null, '5'],
    )
    assert.equal((await scan(item, salesOrder.order, { line: other, shipment: box })).status, 201)
    await member.delete(`/api/order/so/shipment/${salesOrder.shipment}/`)
    const [counts] = await service.rows('select count(*)::integer as boxes from sales_order_shipment where "order" = $1', [
      salesOrder.order,
    ])
    assert.equal(counts.boxes, 1)
    assert.equal((await scan(item, salesOrder.order, { line: salesOrder.line, quantity: 1 })).body.shipment, box)
  })

  it('rejects codes, lines, shipments and quantities that do not match, and allocates nothing', async () => {
    const chair = await part()
    const [salesOrder, other] = [await sale(chair, 5), await sale(chair, 5)]
    const item = await stock(chair, 4)
    assertRejected(
      await member.post(path, { barcode: 'nobody', sales_order: salesOrder.order }),
      'No match found for barcode data',
    )
    const partResponse = await member.post(path, { barcode: `{"part": ${chair}}`, sales_order: salesOrder.order })
    assertRejected(partResponse, 'Barcode does not match an existing stock item')
    assert.equal(partResponse.body.plugin, 'InvenTreeBarcode')
    assertRejected(await scan(999_999, salesOrder.order), 'No match found for barcode data')
    assertRejected(await scan(item, salesOrder.order, { line: other.line }), 'Line item does not match sales order')
    assertRejected(await scan(item, salesOrder.order, { shipment: other.shipment }), 'Shipment does not match sales order')
    assertRejected(await scan(await stock(await part(), 1), salesOrder.order), 'No matching line item found')
    const excessiveResponse = await scan(item, salesOrder.order, { quantity: 5 })
    assertRejected(excessiveResponse, 'Insufficient stock available')
    assert.deepEqual(
      [
        excessiveResponse.body.stock_item,
        excessiveResponse.body.part,
        excessiveResponse.body.sales_order,
        excessiveResponse.body.line_item,
        excessiveResponse.body.shipment,
        excessiveResponse.body.quantity,
      ],
      [item, chair, salesOrder.order, salesOrder.line, salesOrder.shipment, 5],
    )
    const plenty = await stock(chair, 100)
    assertRejected(await scan(plenty, salesOrder.order, { quantity: 6 }), 'The line needs only 5 more')
    const lost = await stock(chair, 3)
    await service.rows('update stock_item set status = 70 where pk = $1', [lost])
    assertRejected(await scan(lost, salesOrder.order, { quantity: 1 }), 'The stock item is not in stock')
    assert.deepEqual([await readAllocated(salesOrder.line), await readAllocated(other.line)], [0, 0])
    await allocate(salesOrder, plenty, 5)
    assertRejected(await scan(plenty, salesOrder.order, { line: salesOrder.line }), 'The line needs only 0 more')
    assertRejected(await scan(plenty, salesOrder.order, { line: salesOrder.line, quantity: 1 }), 'The line needs only 0 more')
  })

  it('rejects malformed bodies, closed orders and shipped shipments', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 5)
    const item = await stock(chair, 4)
    const readErrorFields = async (body: object) => Object.keys((await member.post(path, body)).body).sort()
    assert.deepEqual(await readErrorFields({}), ['barcode', 'sales_order'])
    assert.deepEqual(await readErrorFields({ barcode: null, sales_order: null, line: null, shipment: null, quantity: null }), [
      'barcode',
      'quantity',
      'sales_order',
    ])
    for (const quantity of [0, -1, 1.5, 'many', 2 ** 31])
      assert.deepEqual(Object.keys((await scan(item, salesOrder.order, { quantity })).body), ['quantity'])
    for (const name of ['line', 'shipment'])
      assert.deepEqual(Object.keys((await scan(item, salesOrder.order, { [name]: 999_999 })).body), [name])
    assert.deepEqual(Object.keys((await scan(item, 999_999)).body), ['sales_order'])
    assert.equal((await scan(item, salesOrder.order)).status, 201)
    const box = await shipment(salesOrder.order)
    await issue(salesOrder.order)
    assert.equal((await ship({ ...salesOrder })).status, 201)
    assert.deepEqual((await scan(item, salesOrder.order, { shipment: salesOrder.shipment })).body, {
      shipment: ['Shipment has already been delivered'],
    })
    assert.equal((await scan(await stock(chair, 1), salesOrder.order)).body.shipment, box)
    const cancelled = await sale(chair, 5)
    await member.post(`/api/order/so/${cancelled.order}/cancel/`)
    assert.deepEqual(Object.keys((await scan(item, cancelled.order)).body), ['sales_order'])
  })

  it('never allocates more than is available or the line needs, under concurrent scans', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 5)
    const other = await sale(chair, 20)
    const item = await stock(chair, 12)
    const orders = Array.from({ length: 32 }, (_, index) => (index % 2 ? salesOrder : other).order)
    const responses = await Promise.all(orders.map((order) => scan(item, order, { quantity: 1 })))
    assert.equal(responses.filter(({ status }) => status === 201).length, 12)
    const [ownQuantity, otherQuantity] = [await readAllocated(salesOrder.line), await readAllocated(other.line)]
    assert.ok(ownQuantity <= 5 && ownQuantity + otherQuantity === 12, `${ownQuantity} ${otherQuantity}`)
    assert.equal((await member.get(`/api/stock/${item}/`)).body.allocated, 12)
  })

  it('requires the permission to allocate for the order', () =>
    assertCallers(service, (client) => client.post(path, {}), ['member', 'superuser']))
})

describe('POST /api/barcode/so-allocate/ with WIRE_FORM=inventree', async () => {
  const inventreeService = await testService({ WIRE_FORM: 'inventree' })
  const { part, sale, stock, shipment } = createSalesHelpers(inventreeService)

  it('returns only the objects found, returns errors as strings, and never allocates more than the line needs', async () => {
    await fillStock(inventreeService)
    const chair = await part()
    const salesOrder = await sale(chair, 5)
    const item = await stock(chair, 10)
    const scan = (body: object = {}) =>
      inventreeService.member.post(path, { barcode: toBarcode(item), sales_order: salesOrder.order, ...body })
    const contextFields = { stock_item: item, part: chair, sales_order: salesOrder.order, line_item: salesOrder.line }
    assertRejected(await scan({ quantity: 6 }), 'The line needs only 5 more')
    const existingResponse = await scan({ quantity: 2 })
    assert.equal(existingResponse.status, 200)
    assert.deepEqual(existingResponse.body, {
      ...contextFields,
      shipment: salesOrder.shipment,
      quantity: 2,
      success: 'Stock item allocated to sales order',
    })
    await shipment(salesOrder.order)
    const ambiguousResponse = await scan()
    assertRejected(ambiguousResponse, 'Not enough information', 'True')
    assert.deepEqual(
      [ambiguousResponse.body.shipment, ambiguousResponse.body.quantity, ambiguousResponse.body.stock_item],
      ['None', '3', String(item)],
    )
  })
})
