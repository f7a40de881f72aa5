import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createReturnHelpers } from '../../../testing/objects/returning.ts'
import { waitForStableDay } from '../../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, readHistory } from '../../stock/fixture.ts'

const service = await testService()
const { member } = service
const { coming, customer, issue, line, order, part, receive, sold } = createReturnHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  for (const check of ['verify_quantities', 'verify_return_line_counts', 'verify_allocations'])
    assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
  await assertHistorySums(service)
})

const readOrder = async (pk: number) => (await member.get(`/api/order/ro/${pk}/`)).body
const act = (pk: number, action: string) => member.post(`/api/order/ro/${pk}/${action}/`)
const createWithStatus = async (status: number) => {
  const pk = await order()
  await service.rows('update return_order set status = $2 where pk = $1', [pk, status])
  return pk
}
const readDates = async (pk: number) =>
  (await service.rows('select issue_date::text, complete_date::text from return_order where pk = $1', [pk]))[0]

/** Asserts that the action is rejected for each of these statuses, with the reason, and changes nothing. */
const assertRejectedIn = async (states: number[], action: string) => {
  for (const state of states) {
    const pk = await createWithStatus(state)
    const before = await readOrder(pk)
    const { status, body } = await act(pk, action)
    assert.equal(status, 400, `${action} with status ${state}`)
    assert.equal(body.non_field_errors.length, 1)
    assert.deepEqual(await readOrder(pk), before)
  }
}

describe('POST /api/order/ro/{id}/issue/', () => {
  it('puts a pending order in progress, dated today', async () => {
    const today = await waitForStableDay()
    const pk = await order()
    const response = await issue(pk)
    assert.deepEqual([response.status, response.body], [201, {}])
    const { status, status_text } = await readOrder(pk)
    assert.deepEqual([status, status_text], [20, 'In Progress'])
    assert.deepEqual(await readDates(pk), { issue_date: today, complete_date: null })
  })
  it('rejects any other status', () => assertRejectedIn([20, 30, 40], 'issue'))
  it('requires the permission to add return orders', async () => {
    const pk = await order()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/ro/${pk}/issue/`),
      ['member', 'superuser'],
      () => readOrder(pk),
    )
  })
})

describe('POST /api/order/ro/{id}/complete/', () => {
  it('completes an order in progress, today, even with items outstanding', async () => {
    const today = await waitForStableDay()
    const { order: pk } = await coming()
    assert.deepEqual((await act(pk, 'complete')).status, 201)
    assert.equal((await readOrder(pk)).status_text, 'Complete')
    assert.equal((await readDates(pk)).complete_date, today)
  })
  it('rejects any other status', () => assertRejectedIn([10, 30, 40], 'complete'))
  it('requires the permission to add return orders', async () => {
    const { order: pk } = await coming()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/ro/${pk}/complete/`),
      ['member', 'superuser'],
      () => readOrder(pk),
    )
  })
})

describe('POST /api/order/ro/{id}/cancel/', () => {
  it('cancels an open order', async () => {
    for (const state of [10, 20]) {
      const pk = await createWithStatus(state)
      assert.equal((await act(pk, 'cancel')).status, 201)
      assert.equal((await readOrder(pk)).status_text, 'Cancelled')
    }
  })
  it('rejects any other status', () => assertRejectedIn([30, 40], 'cancel'))
  it('requires the permission to add return orders', async () => {
    const pk = await order()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/ro/${pk}/cancel/`),
      ['member', 'superuser'],
      () => readOrder(pk),
    )
  })
})

describe('POST /api/order/ro/{id}/receive/', () => {
  const readItem = async (pk: number) => (await member.get(`/api/stock/${pk}/`)).body

  it('receives an item of a customer other than the order’s, as existing clients send it', async () => {
    const pk = await order()
    const item = await sold({ customer: (await member.post('/api/company/', { name: 'Reseller', is_customer: true })).body.pk })
    const { customer: originalCustomer } = await readItem(item)
    assert.notEqual(originalCustomer, (await readOrder(pk)).customer)
    const lineKey = await line(pk, item)
    await issue(pk)
    assert.equal((await receive(pk, [lineKey], locations.shelf)).status, 201)
    assert.equal((await readItem(item)).customer, null)
    assert.equal((await readHistory(service, item))[0]?.[1].customer, originalCustomer)
  })

  it('moves received items from the customer into the location, quarantined', async () => {
    const today = await waitForStableDay()
    const incoming = await coming()
    const { customer: originalCustomer, part: partPk } = await readItem(incoming.item)
    const response = await receive(incoming.order, [incoming.line], locations.shelf)
    assert.deepEqual([response.status, response.body], [201, { items: [{ item: incoming.line }], location: locations.shelf }])
    const { status, location, customer: itemCustomer, sales_order } = await readItem(incoming.item)
    assert.deepEqual([status, location, itemCustomer, sales_order], [75, locations.shelf, null, null])
    assert.deepEqual(await readHistory(service, incoming.item), [
      [80, { status: 75, returnorder: incoming.order, location: locations.shelf, customer: originalCustomer }],
    ])
    assert.equal((await member.get(`/api/order/ro-line/${incoming.line}/`)).body.received_date, today)
    assert.equal((await readOrder(incoming.order)).completed_lines, 0)
    await member.patch(`/api/order/ro-line/${incoming.line}/`, { outcome: 30 })
    const { line_items, completed_lines } = await readOrder(incoming.order)
    assert.deepEqual([line_items, completed_lines], [1, 1])
    // quarantined stock exists, but is not available
    const { in_stock, stock_item_count } = (await member.get(`/api/part/${partPk}/`)).body
    assert.deepEqual([in_stock, stock_item_count], [0, 1])
    const { results } = (await member.get(`/api/stock/track/?item=${incoming.item}`)).body
    assert.equal(results[0].deltas.returnorder_detail.pk, incoming.order)
  })

  it('ignores lines that were received already', async () => {
    const incoming = await coming()
    await receive(incoming.order, [incoming.line], locations.shelf)
    assert.equal((await receive(incoming.order, [incoming.line], locations.box)).status, 201)
    assert.equal((await readItem(incoming.item)).location, locations.shelf)
    assert.equal((await readHistory(service, incoming.item)).length, 1)
  })

  it('rejects an item allocated to a sales order, and keeps the allocation of a shipped one', async () => {
    const item = await sold({ customer: null, location: locations.shelf })
    const { part: partPk } = await readItem(item)
    const sale = await member.post('/api/order/so/', { reference: 'SO-1', customer: await customer() })
    const soLine = await member.post('/api/order/so-line/', { order: sale.body.pk, part: partPk, quantity: 1 })
    const shipment = await member.post('/api/order/so/shipment/', { order: sale.body.pk, reference: '1' })
    const allocationResponse = await member.post(`/api/order/so/${sale.body.pk}/allocate/`, {
      items: [{ line_item: soLine.body.pk, stock_item: item, quantity: 1 }],
      shipment: shipment.body.pk,
    })
    assert.equal(allocationResponse.status, 201, allocationResponse.text)
    const incoming = await coming(item)
    const other = await line(incoming.order, await sold())
    const rejection = await receive(incoming.order, [other, incoming.line], locations.box)
    assert.deepEqual([rejection.status, rejection.body], [400, { items: [{}, { item: ['Item is allocated to a sales order'] }] }])
    const { allocated, location } = await readItem(item)
    assert.deepEqual([allocated, location], [1, locations.shelf])

    assert.equal((await member.post(`/api/order/so/shipment/${shipment.body.pk}/ship/`, {})).status, 201)
    assert.equal((await receive(incoming.order, [other, incoming.line], locations.box)).status, 201)
    assert.deepEqual((await readItem(item)).location, locations.box)
    assert.equal((await member.get(`/api/order/so-allocation/?item=${item}`)).body.count, 1)
  })

  it('splits the quantity of the line off a larger item', async () => {
    const pk = await order()
    const customerPk = await customer()
    const item = await insertItem(service, { part: await part(), quantity: '5', location: null, customer: customerPk })
    const key = await line(pk, item, { quantity: 2 })
    await issue(pk)
    assert.equal((await receive(pk, [key], locations.shelf)).status, 201)
    const { item: returned, received_date } = (await member.get(`/api/order/ro-line/${key}/`)).body
    assert.ok(received_date)
    const [rest, part_of] = [await readItem(item), await readItem(returned)]
    assert.deepEqual(
      [rest.quantity, rest.customer, part_of.quantity, part_of.customer, part_of.location, part_of.status],
      [3, customerPk, 2, null, locations.shelf, 75],
    )
    assert.deepEqual(
      (await readHistory(service, returned)).map(([type]) => type),
      [40, 80],
    )
  })

  it('rejects a line of more than there is left of its item', async () => {
    const pk = await order()
    const item = await insertItem(service, { part: await part(), quantity: '5', location: null, customer: await customer() })
    const key = await line(pk, item, { quantity: 4 })
    await issue(pk)
    await service.rows('update stock_item set quantity = 3, opening_quantity = 3 where pk = $1', [item])
    const { status, body } = await receive(pk, [key], locations.shelf)
    assert.deepEqual([status, Object.keys(body.items[0])], [400, ['item']])
    assert.equal((await readItem(item)).quantity, 3)
  })

  it('rejects invalid values, and changes nothing', async () => {
    const incoming = await coming()
    const other = await coming()
    const before = await readItem(incoming.item)
    const assertRejected = async (response: Awaited<ReturnType<typeof receive>>, body: object) => {
      assert.equal(response.status, 400, response.text)
      assert.deepEqual(Object.keys(response.body), Object.keys(body), response.text)
      for (const item of [incoming.item, other.item]) assert.equal((await readHistory(service, item)).length, 0)
    }
    const foreign = await receive(incoming.order, [incoming.line, other.line], locations.shelf)
    await assertRejected(foreign, { items: [] })
    assert.deepEqual(
      foreign.body.items.map((entry: object) => Object.keys(entry)),
      [[], ['item']],
    )
    await assertRejected(await receive(incoming.order, [999_999], locations.shelf), { items: [] })
    await assertRejected(await receive(incoming.order, [], locations.shelf), { non_field_errors: [] })
    await assertRejected(await receive(incoming.order, [incoming.line], locations.house), { location: [] })
    await assertRejected(await receive(incoming.order, [incoming.line], 999_999), { location: [] })
    await assertRejected(await member.post(`/api/order/ro/${incoming.order}/receive/`, {}), { items: [], location: [] })
    await act(incoming.order, 'complete')
    await assertRejected(await receive(incoming.order, [incoming.line], locations.shelf), { non_field_errors: [] })
    assert.deepEqual(await readItem(incoming.item), before)
    assert.equal((await receive(999_999, [incoming.line], locations.shelf)).status, 404)
  })

  it('receives an item once, however many orders and concurrent requests name it', async () => {
    const item = await sold()
    const orders = await Promise.all(Array.from({ length: 6 }, () => coming(item)))
    const responses = await Promise.all(
      orders.flatMap((incoming) => [incoming, incoming].map(() => receive(incoming.order, [incoming.line], locations.shelf))),
    )
    assert.deepEqual(
      responses.filter(({ status }) => ![201, 400].includes(status)),
      [],
    )
    assert.equal((await readHistory(service, item)).length, 1)
    const received = await Promise.all(
      orders.map(async (incoming) => (await member.get(`/api/order/ro-line/${incoming.line}/`)).body.received_date !== null),
    )
    assert.equal(received.filter(Boolean).length, 1)
    // it ships once more, and may be returned once more
    await service.rows('update stock_item set customer = $2, location = null where pk = $1', [item, await customer()])
    const [next] = orders.filter((_, index) => !received[index])
    assert.equal((await receive(next?.order as number, [next?.line as number], locations.box)).status, 201)
    assert.equal((await readItem(item)).location, locations.box)
  })

  it('does not deadlock with a deletion of the item', async () => {
    for (let round = 0; round < 5; round++) {
      const incoming = await coming()
      const [received, deleted] = await Promise.all([
        receive(incoming.order, [incoming.line], locations.shelf),
        member.delete(`/api/stock/${incoming.item}/`),
      ])
      assert.equal(deleted.status, 204, deleted.text)
      assert.ok([201, 400].includes(received.status), received.text)
      assert.equal((await readOrder(incoming.order)).line_items, 0)
    }
  })

  it('requires the permission to add return orders', async () => {
    const incoming = await coming()
    await assertCallers(
      service,
      (client) =>
        client.post(`/api/order/ro/${incoming.order}/receive/`, { items: [{ item: incoming.line }], location: locations.shelf }),
      ['member', 'superuser'],
      () => readItem(incoming.item),
    )
  })
})

describe('POST /api/order/ro-line/', () => {
  it('accepts an item once per order, and a part of a larger one', async () => {
    const pk = await order()
    const item = await sold()
    await line(pk, item)
    const second = await member.post('/api/order/ro-line/', { order: pk, item })
    assert.deepEqual([second.status, Object.keys(second.body)], [400, ['non_field_errors']])
    const plain = await insertItem(service, { part: await part(), quantity: '3' })
    for (const [invalid, code] of [
      [{ item: plain, quantity: 3.5 }, 'returned_quantity_exceeds_item'],
      [{ item: plain, quantity: 0 }, 'returned_quantity_must_be_positive'],
      [{ item: await sold(), quantity: 2 }, 'returned_serialized_quantity_must_be_one'],
    ] as const) {
      const { status, body } = await member.post('/api/order/ro-line/', { order: pk, ...invalid })
      assert.deepEqual([status, Object.keys(body)], [400, ['quantity']], code)
    }
    const part_of = await member.post('/api/order/ro-line/?extended=true', { order: pk, item: plain, quantity: 2.5 })
    assert.deepEqual([part_of.status, part_of.body.quantity], [201, 2.5])
    assert.equal((await readOrder(pk)).line_items, 2)
  })
  it('counts in the total of the order, also with a negative price', async () => {
    const pk = await order({ order_currency: 'USD' })
    await line(pk, await sold(), { price: '-12.5', price_currency: 'USD' })
    await member.post('/api/order/ro-extra-line/', { order: pk, quantity: 2, price: '3', price_currency: 'USD' })
    assert.equal(Number((await readOrder(pk)).total_price), -6.5)
  })
  it('filters lines by item, serial number, outcome and whether they were received', async () => {
    const incoming = await coming()
    const { serial } = (await member.get(`/api/stock/${incoming.item}/`)).body
    const count = async (query: string) => (await member.get(`/api/order/ro-line/?order=${incoming.order}&${query}`)).body.count
    for (const query of [
      `item=${incoming.item}`,
      `search=${serial}`,
      'outcome=10',
      'received=false',
      'order_status=20',
      'has_pricing=false',
    ])
      assert.equal(await count(query), 1, query)
    for (const query of ['search=nothing', 'outcome=20', 'received=true', 'order_status=10', 'has_pricing=true'])
      assert.equal(await count(query), 0, query)
    const [row] = (
      await member.get(`/api/order/ro-line/?order=${incoming.order}&item_detail=true&part_detail=true&order_detail=true`)
    ).body.results
    assert.deepEqual([row.item_detail.pk, row.part_detail.pk > 0, row.order_detail.pk], [incoming.item, true, incoming.order])
  })
  it('requires the permission to add return orders', async () => {
    const pk = await order()
    const item = await sold()
    await assertCallers(
      service,
      (client) => client.post('/api/order/ro-line/', { order: pk, item }),
      ['member', 'superuser'],
      () => readOrder(pk),
    )
  })
})

describe('POST /api/order/ro/', () => {
  it('copies the lines of another order, as not received', async () => {
    const incoming = await coming()
    await receive(incoming.order, [incoming.line], locations.shelf)
    const copy = await member.post('/api/order/ro/', {
      reference: 'RMA-9001',
      customer: await customer(),
      duplicate_order: incoming.order,
      duplicate_line_items: true,
    })
    assert.deepEqual([copy.status, copy.body.line_items, copy.body.completed_lines], [201, 1, 0])
  })
  it('requires a customer, and a reference that matches the pattern', async () => {
    const assertRejected = async (body: object, field: string) => {
      const response = await member.post('/api/order/ro/', body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], response.text)
    }
    await assertRejected({ reference: 'RMA-1' }, 'customer')
    await assertRejected({ reference: 'RMA-1', customer: null }, 'customer')
    await assertRejected({ reference: 'RMA-1', customer: 1 }, 'customer')
    await assertRejected({ reference: 'PO-1', customer: await customer() }, 'reference')
    await assertRejected({ customer: await customer() }, 'reference')
  })
  it('requires the permission to add return orders', async () => {
    const body = { reference: 'RMA-7', customer: await customer() }
    await assertCallers(service, (client) => client.post('/api/order/ro/', body), ['member', 'superuser'])
  })
})
