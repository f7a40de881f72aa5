// Over 400 lines: covers every rule of allocation, and every race for it, with one set of stock.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { assertHistorySums, fillStock, locations } from '../../stock/fixture.ts'

const service = await testService()
const { member } = service
const { part, sale, stock, allocate, line, order, shipment, ship, assertSums } = createSalesHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertHistorySums(service)
})

const get = async (path: string) => (await member.get(path)).body
const assertField = (response: { status: number; body: any }, field: string) => {
  assert.equal(response.status, 400, JSON.stringify(response.body))
  const [entry] = response.body.items ?? [response.body]
  assert.deepEqual(Object.keys(entry), [field], JSON.stringify(response.body))
}

describe('POST /api/order/so/{id}/allocate/', () => {
  it('allocates stock to a line, and updates all stock figures and filters', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 6)
    const item = await stock(chair, 10)
    const response = await allocate(salesOrder, item, 4)
    assert.deepEqual(response.body, {
      items: [{ line_item: salesOrder.line, stock_item: item, quantity: '4.00000' }],
      shipment: salesOrder.shipment,
      allow_over_allocation: false,
    })
    const { allocated, available_stock, shipped } = await get(`/api/order/so-line/${salesOrder.line}/`)
    assert.deepEqual([allocated, available_stock, shipped], [4, 6, 0])
    const { allocated: allocatedQuantity, quantity } = await get(`/api/stock/${item}/`)
    assert.deepEqual([allocatedQuantity, quantity], [4, 10])
    const partDetails = await get(`/api/part/${chair}/`)
    assert.deepEqual(
      [
        partDetails.in_stock,
        partDetails.allocated_to_sales_orders,
        partDetails.required_for_sales_orders,
        partDetails.unallocated_stock,
      ],
      [10, 4, 6, 6],
    )
    const needs = await get(`/api/part/${chair}/requirements/`)
    assert.deepEqual(
      [needs.available_stock, needs.required_sales_order_quantity, needs.allocated_sales_order_quantity],
      [6, 6, 4],
    )
    const countItems = async (query: string) => (await get(`/api/stock/?part=${chair}&${query}`)).count
    assert.deepEqual(
      [await countItems('allocated=true'), await countItems('allocated=false'), await countItems('available=true')],
      [1, 0, 1],
    )
    assert.equal(await countItems(`exclude_so_allocation=${salesOrder.order}`), 0)
    await allocate(salesOrder, item, 2)
    await allocate(await sale(chair, 6), item, 4)
    assert.deepEqual([await countItems('available=true'), await countItems('available=false')], [0, 1])
  })

  it('accepts several entries or none, and counts them together', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 20)
    const [first, second] = [await stock(chair, 5), await stock(chair, 5)]
    const send = (quantities: [number, number][]) =>
      member.post(`/api/order/so/${salesOrder.order}/allocate/`, {
        items: quantities.map(([stock_item, quantity]) => ({ line_item: salesOrder.line, stock_item, quantity })),
        shipment: salesOrder.shipment,
      })
    const rejection = await send([
      [first, 3],
      [second, 1],
      [first, 3],
    ])
    assert.deepEqual(
      rejection.body.items.map((entry: object) => Object.keys(entry)),
      [[], [], ['quantity']],
    )
    assert.equal((await get(`/api/order/so-allocation/?order=${salesOrder.order}`)).count, 0)
    assert.equal(
      (
        await send([
          [first, 3],
          [second, 1],
          [first, 2],
        ])
      ).status,
      201,
    )
  })

  it('rejects invalid values at their index', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 10)
    const other = await sale(chair, 10)
    const item = await stock(chair, 5)
    const lamp = await part({ trackable: true })
    const unit = await stock(lamp, 1, { serial: '1' })
    const lampLine = await line(salesOrder.order, lamp, 3)
    assertField(await allocate({ ...salesOrder, line: other.line }, item, 1), 'line_item')
    assertField(await allocate({ ...salesOrder, line: 99_999 }, item, 1), 'line_item')
    assertField(await allocate(salesOrder, 99_999, 1), 'stock_item')
    assertField(await allocate(salesOrder, unit, 1), 'stock_item')
    assertField(await allocate(salesOrder, item, 0), 'quantity')
    assertField(await allocate(salesOrder, item, 6), 'quantity')
    assertField(await allocate({ ...salesOrder, line: lampLine }, unit, 0.5), 'quantity')
    assertField(await allocate(salesOrder, await stock(chair, 5, { status: 75 }), 1), 'stock_item')
    assertField(await allocate(salesOrder, await stock(chair, 5, { customer: 2 }), 1), 'stock_item')
    for (const shipmentPk of [99_999, other.shipment])
      assert.deepEqual(Object.keys((await allocate({ ...salesOrder, shipment: shipmentPk }, item, 1)).body), ['shipment'])
    const empty = await member.post(`/api/order/so/${salesOrder.order}/allocate/`, { items: [], shipment: salesOrder.shipment })
    assert.deepEqual(Object.keys(empty.body), ['non_field_errors'])
    const bare = await member.post(`/api/order/so/${salesOrder.order}/allocate/`, {})
    assert.deepEqual(Object.keys(bare.body), ['items', 'shipment'])
    assert.equal((await allocate({ ...salesOrder, order: 99_999 }, item, 1)).status, 404)
    const [lineWithoutPart] = await service.rows(
      `insert into sales_order_line ("order", quantity, sale_price_currency) values ($1, 1, 'EUR') returning pk`,
      [salesOrder.order],
    )
    assertField(await allocate({ ...salesOrder, line: lineWithoutPart.pk }, item, 1), 'line_item')
  })

  it('accepts variants of the part, but not its template', async () => {
    const template = await part({ is_template: true })
    const variant = await part({ variant_of: template })
    const [plain, special] = [await stock(template, 5), await stock(variant, 5)]
    assert.equal((await allocate(await sale(template), special, 2)).status, 201)
    assertField(await allocate(await sale(variant), plain, 2), 'stock_item')
    const salesOrder = await sale(template)
    const row = await get(`/api/order/so-line/${salesOrder.line}/`)
    assert.deepEqual([row.available_stock, row.available_variant_stock], [5, 3])
  })

  it('allocates no more than the shortage of the line, unless allowed', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 3)
    const item = await stock(chair, 10)
    await allocate(salesOrder, item, 2)
    assertField(await allocate(salesOrder, item, 2), 'quantity')
    assert.equal((await allocate(salesOrder, item, 2, { allow_over_allocation: true })).status, 201)
    await ship(salesOrder)
    assertField(await allocate({ ...salesOrder, shipment: await shipment(salesOrder.order) }, item, 1), 'quantity')
  })

  it('requires an open order', async () => {
    const chair = await part()
    const item = await stock(chair, 10)
    for (const [status, expected] of [
      [10, 201],
      [15, 201],
      [20, 400],
      [40, 400],
    ]) {
      const salesOrder = await sale(chair, 2)
      await service.rows('update sales_order set status = $2 where pk = $1', [salesOrder.order, status])
      assert.equal((await allocate(salesOrder, item, 1)).status, expected, String(status))
    }
  })

  it('requires the permission to add sales orders', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 1000)
    const item = await stock(chair, 1000)
    const body = { items: [{ line_item: salesOrder.line, stock_item: item, quantity: 1 }], shipment: salesOrder.shipment }
    await assertCallers(
      service,
      (client) => client.post(`/api/order/so/${salesOrder.order}/allocate/`, body),
      ['member', 'superuser'],
      () => get(`/api/order/so-line/${salesOrder.line}/`),
    )
  })
})

describe('POST /api/order/so/{id}/allocate-serials/', () => {
  const send = (
    salesOrder: { order: number; line: number; shipment: number },
    serial_numbers: string,
    quantity: number,
    more = {},
  ) =>
    member.post(`/api/order/so/${salesOrder.order}/allocate-serials/`, {
      line_item: salesOrder.line,
      quantity,
      serial_numbers,
      shipment: salesOrder.shipment,
      ...more,
    })

  it('allocates units, also of variants', async () => {
    const template = await part({ trackable: true, is_template: true })
    const variant = await part({ trackable: true, variant_of: template })
    const units = [
      await stock(template, 1, { serial: '1' }),
      await stock(template, 1, { serial: '2' }),
      await stock(variant, 1, { serial: '3' }),
    ]
    const salesOrder = await sale(template, 3)
    const response = await send(salesOrder, '1-3', 3)
    assert.deepEqual(response.body, {
      line_item: salesOrder.line,
      quantity: 3,
      serial_numbers: '1-3',
      shipment: salesOrder.shipment,
      allow_over_allocation: false,
    })
    const { results } = await get(`/api/order/so-allocation/?order=${salesOrder.order}`)
    assert.deepEqual(
      results.map((allocation: any) => [allocation.item, allocation.serial, allocation.quantity]),
      units.map((item, index) => [item, String(index + 1), 1]),
    )
  })

  it('reports the serial numbers when they are the cause, also when the line has no shortage left', async () => {
    const lamp = await part({ trackable: true })
    const salesOrder = await sale(lamp, 1)
    for (const serial of ['1', '2']) await stock(lamp, 1, { serial })
    assert.equal((await send(salesOrder, '1', 1)).status, 201)
    for (const [serials, quantity, text] of [
      ['1', 1, 'The following serial numbers are already allocated: 1'],
      ['1,2', 2, 'The following serial numbers are already allocated: 1'],
      ['7', 1, 'No match found for the following serial numbers: 7'],
      ['2,3', 1, 'Number of unique serial numbers (2) must match quantity (1)'],
    ] as const)
      assert.deepEqual((await send(salesOrder, serials, quantity)).body, { serial_numbers: [text] })
  })

  it('rejects unknown or allocated units, and more than the shortage of the line', async () => {
    const lamp = await part({ trackable: true })
    const salesOrder = await sale(lamp, 2)
    for (const serial of ['1', '2', '3']) await stock(lamp, 1, { serial })
    await stock(lamp, 1, { serial: '4', status: 70 })
    assert.equal((await send(salesOrder, '1', 1)).status, 201)
    const cases: [string, number, string, RegExp][] = [
      ['9', 1, 'serial_numbers', /No match found.*: 9$/],
      ['4', 1, 'serial_numbers', /No match found.*: 4$/],
      ['1', 1, 'serial_numbers', /already allocated: 1$/],
      ['2-3', 2, 'quantity', /is short of only 1/],
      ['2,3', 1, 'serial_numbers', /must match quantity/],
      ['2', 0, 'quantity', /./],
    ]
    for (const [serials, quantity, field, text] of cases) {
      const { status, body } = await send(salesOrder, serials, quantity)
      assert.deepEqual([status, Object.keys(body)], [400, [field]], serials)
      assert.match(body[field][0], text)
    }
    assert.equal((await send(salesOrder, '2-3', 2, { allow_over_allocation: true })).status, 201)
    const other = await sale(lamp, 2)
    assert.deepEqual(Object.keys((await send({ ...salesOrder, line: other.line }, '2', 1)).body), ['line_item'])
    assert.deepEqual(Object.keys((await send({ ...salesOrder, shipment: other.shipment }, '2', 1)).body), ['shipment'])
  })
})

describe('/api/order/so-allocation/', () => {
  const createAllocation = async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 10)
    const item = await stock(chair, 10)
    await allocate(salesOrder, item, 4)
    const [{ pk }] = (await get(`/api/order/so-allocation/?order=${salesOrder.order}`)).results
    return { ...salesOrder, chair, item, pk, url: `/api/order/so-allocation/${pk}/` }
  }

  it('returns the allocated stock and its location', async () => {
    const { order: pk, line: linePk, shipment: shipmentPk, item, chair, url } = await createAllocation()
    const row = await get(`${url}?location_detail=true&order_detail=true&customer_detail=true`)
    const { line, quantity, location, order, part: rowPart, shipment: rowShipment, shipment_date, serial } = row
    assert.deepEqual(
      [line, quantity, location, order, rowPart, rowShipment, shipment_date, serial],
      [linePk, 4, locations.shelf, pk, chair, shipmentPk, null, null],
    )
    assert.deepEqual(
      [row.item_detail.pk, row.part_detail.pk, row.location_detail.pk, row.order_detail.pk],
      [item, chair, locations.shelf, pk],
    )
    assert.ok(row.customer_detail.pk)
    for (const [filter, count] of [
      [`part=${chair}`, 1],
      [`item=${item}`, 1],
      [`stock_item=${item}`, 1],
      [`order=${pk}`, 1],
      ['outstanding=true', 1],
      ['outstanding=false', 0],
    ])
      assert.equal((await get(`/api/order/so-allocation/?${filter}`)).count, count, String(filter))
    assert.equal((await get(`/api/order/so-line/${linePk}/?allocations=true`)).allocations[0].item_detail.pk, item)
    assert.equal((await get(`/api/order/so/shipment/${shipmentPk}/`)).allocations[0].part_detail.pk, chair)
  })

  it('allows changes within the available quantity', async () => {
    const { url, item, chair, line: linePk } = await createAllocation()
    assert.equal((await member.patch(url, { quantity: 10 })).body.quantity, 10)
    assert.deepEqual(Object.keys((await member.patch(url, { quantity: 10.5 })).body), ['quantity'])
    assert.deepEqual(Object.keys((await member.patch(url, { quantity: 0 })).body), ['quantity'])
    assert.deepEqual(Object.keys((await member.patch(url, { quantity: null })).body), ['quantity'])
    assert.deepEqual(Object.keys((await member.patch(url, { shipment: '' })).body), ['shipment'])
    const bigger = await stock(chair, 50)
    assert.equal((await member.patch(url, { item: bigger })).status, 200)
    assert.deepEqual([(await get(`/api/stock/${item}/`)).allocated, (await get(`/api/stock/${bigger}/`)).allocated], [0, 10])
    assert.deepEqual(
      Object.keys((await member.patch(url, { quantity: 11 })).body),
      ['quantity'],
      'more than the shortage of the line',
    )
    assert.equal((await member.patch(url, { quantity: 11, allow_over_allocation: true })).status, 200)
    const foreign = await sale(chair, 50)
    assert.deepEqual(Object.keys((await member.patch(url, { line: foreign.line })).body).sort(), ['line', 'shipment'])
    const moved = { line: foreign.line, shipment: foreign.shipment }
    assert.equal((await member.patch(url, moved)).body.order, foreign.order)
    assert.equal((await get(`/api/order/so-line/${linePk}/`)).allocated, 0)
  })

  it('rejects changes once shipped', async () => {
    const allocation = await createAllocation()
    await ship(allocation)
    const shippedResponse = await member.patch(allocation.url, { quantity: 1 })
    assert.deepEqual([shippedResponse.status, Object.keys(shippedResponse.body)], [400, ['item']])
  })

  it('is released when deleted, or when its line, shipment or order is', async () => {
    const methods = [
      ({ url }: { url: string }) => url,
      ({ line: linePk }: { line: number }) => `/api/order/so-line/${linePk}/`,
      ({ shipment: shipmentPk }: { shipment: number }) => `/api/order/so/shipment/${shipmentPk}/`,
      ({ order: pk }: { order: number }) => `/api/order/so/${pk}/`,
    ]
    for (const method of methods) {
      const created = await createAllocation()
      assert.equal((await member.delete(method(created))).status, 204)
      assert.equal((await get(`/api/stock/${created.item}/`)).allocated, 0)
    }
  })

  it('is deleted with its stock item, and no longer counts as allocated', async () => {
    const { item, line: linePk, chair, url } = await createAllocation()
    assert.equal((await member.delete(`/api/stock/${item}/`)).status, 204)
    assert.equal((await member.get(url)).status, 404)
    assert.equal((await get(`/api/order/so-line/${linePk}/`)).allocated, 0)
    assert.equal((await get(`/api/part/${chair}/`)).allocated_to_sales_orders, 0)
  })

  it('rejects changing its line’s order or part, or its shipment’s order or date', async () => {
    const { line: linePk, shipment: shipmentPk } = await createAllocation()
    const otherOrder = await order()
    const otherPart = await part()
    assert.deepEqual(Object.keys((await member.patch(`/api/order/so-line/${linePk}/`, { order: otherOrder })).body), ['order'])
    assert.deepEqual(Object.keys((await member.patch(`/api/order/so-line/${linePk}/`, { part: otherPart })).body), ['part'])
    assert.deepEqual(Object.keys((await member.patch(`/api/order/so/shipment/${shipmentPk}/`, { order: otherOrder })).body), [
      'order',
    ])
    const dated = await member.patch(`/api/order/so/shipment/${shipmentPk}/`, { shipment_date: '2031-01-01' })
    assert.deepEqual(Object.keys(dated.body), ['shipment_date'])
  })
})

describe('allocated stock', () => {
  const createAllocatedStock = async (options: { quantity?: number; allocated?: number; serial?: string } = {}) => {
    const chair = await part({ trackable: options.serial !== undefined })
    const salesOrder = await sale(chair, 50)
    const item = await stock(chair, options.quantity ?? 10, options.serial ? { serial: options.serial } : {})
    assert.equal((await allocate(salesOrder, item, options.allocated ?? 4)).status, 201)
    return { ...salesOrder, chair, item }
  }
  const act = (action: string, body: object) => member.post(`/api/stock/${action}/`, body)

  it('cannot be counted or removed, only the rest of the item', async () => {
    const { item } = await createAllocatedStock()
    for (const [action, quantity] of [
      ['count', 3.5],
      ['count', 0],
      ['remove', 6.5],
      ['remove', 10],
    ] as const) {
      const { status, body } = await act(action, { items: [{ pk: item, quantity }] })
      assert.deepEqual([status, Object.keys(body.items?.[0] ?? {})], [400, ['quantity']], `${action} ${quantity}`)
    }
    assert.deepEqual(Object.keys((await member.patch(`/api/stock/${item}/`, { quantity: 3 })).body), ['quantity'])
    assert.equal((await act('remove', { items: [{ pk: item, quantity: 6 }] })).status, 201)
    assert.equal((await get(`/api/stock/${item}/`)).quantity, 4)
  })

  it('moves as a whole, and is not split', async () => {
    const { item, line: linePk } = await createAllocatedStock()
    const destination = { location: locations.box }
    const { status, body } = await act('transfer', { items: [{ pk: item, quantity: 7 }], ...destination })
    assert.deepEqual([status, Object.keys(body.items[0])], [400, ['quantity']])
    assert.equal((await act('transfer', { items: [{ pk: item, quantity: 6 }], ...destination })).status, 201)
    assert.equal((await act('transfer', { items: [{ pk: item, quantity: 4 }], ...destination })).status, 201)
    const [allocation] = (await get(`/api/order/so-line/${linePk}/?allocations=true`)).allocations
    assert.deepEqual([allocation.item, allocation.location], [item, locations.box])
  })

  it('stays allocated when items are merged', async () => {
    const { item, chair, line: linePk } = await createAllocatedStock()
    const survivor = await stock(chair, 3)
    const second = await sale(chair, 50)
    assert.equal((await allocate(second, survivor, 3)).status, 201)
    const merged = await act('merge', { items: [{ item: survivor }, { item }], location: locations.box })
    assert.equal(merged.status, 201, merged.text)
    const { quantity, allocated } = await get(`/api/stock/${survivor}/`)
    assert.deepEqual([quantity, allocated], [13, 7])
    assert.equal((await get(`/api/order/so-line/${linePk}/?allocations=true`)).allocations[0].item, survivor)
  })

  it('cannot be transferred, installed, serialized or converted to another part', async () => {
    const { item } = await createAllocatedStock({ quantity: 4 })
    const { status, body } = await act('assign', { items: [{ item }], customer: 2 })
    assert.deepEqual([status, body.items], [400, [{ item: ['Item is allocated to a sales order'] }]])
    const host = await stock(await part(), 1)
    const installed = await act(`${host}/install`, { stock_item: item, quantity: 1 })
    assert.deepEqual([installed.status, Object.keys(installed.body)], [400, ['stock_item']])
    for (const body of [{ customer: 2 }, { belongs_to: host }, { part: 1 }])
      assert.deepEqual(
        Object.keys((await member.patch(`/api/stock/${item}/`, body)).body),
        Object.keys(body),
        JSON.stringify(body),
      )
    const lamps = await createAllocatedStock({ quantity: 4 })
    await service.rows('update part set trackable = true where pk = $1', [lamps.chair])
    const numbered = { quantity: 1, serial_numbers: '1', destination: locations.box }
    assert.deepEqual(Object.keys((await act(`${lamps.item}/serialize`, numbered)).body), ['quantity'])
  })

  it('converts only to a part that its lines accept', async () => {
    const template = await part({ is_template: true })
    const [red, blue] = [await part({ variant_of: template }), await part({ variant_of: template })]
    const item = await stock(red, 5)
    await allocate(await sale(template), item, 1)
    assert.equal((await act(`${item}/convert`, { part: blue })).status, 201)
    await allocate(await sale(blue), item, 1)
    assert.deepEqual(Object.keys((await act(`${item}/convert`, { part: red })).body), ['part'])
  })
})
