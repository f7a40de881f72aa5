import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createSalesHelpers } from '../../../../testing/objects/selling.ts'
import { waitForStableDay } from '../../../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../../../testing/service.ts'
import { assertHistorySums, fillStock, locations, readHistory } from '../../../stock/fixture.ts'

const service = await testService()
const { member } = service
const { part, sale, stock, allocate, order, line, shipment, ship, assertSums } = createSalesHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertHistorySums(service)
})

const get = async (path: string) => (await member.get(path)).body

describe('POST /api/order/so/shipment/{id}/ship/', () => {
  it('splits the shipped quantity off a larger item', async () => {
    const today = await waitForStableDay()
    const chair = await part()
    const salesOrder = await sale(chair, 6)
    const { customer } = await get(`/api/order/so/${salesOrder.order}/`)
    const item = await stock(chair, 10)
    await allocate(salesOrder, item, 4)
    const response = await ship(salesOrder, { tracking_number: 'T1', link: 'https://carrier.example/T1' })
    assert.deepEqual(response.body, {
      shipment_date: today,
      delivery_date: null,
      tracking_number: 'T1',
      invoice_number: '',
      link: 'https://carrier.example/T1',
    })
    const [shippedItem] = (await get(`/api/stock/?sales_order=${salesOrder.order}`)).results
    assert.deepEqual(
      [
        shippedItem.quantity,
        shippedItem.customer,
        shippedItem.location,
        shippedItem.allocated,
        shippedItem.sales_order_reference,
      ],
      [4, customer, null, 4, (await get(`/api/order/so/${salesOrder.order}/`)).reference],
    )
    assert.deepEqual(
      (await readHistory(service, shippedItem.pk)).map(([code]) => code),
      [40, 60],
    )
    const [, [, deltas]] = (await readHistory(service, shippedItem.pk)) as [unknown, [number, Record<string, unknown>]]
    assert.deepEqual(deltas, { customer, customer_name: deltas.customer_name, salesorder: salesOrder.order })
    const remaining = await get(`/api/stock/${item}/`)
    assert.deepEqual(
      [remaining.quantity, remaining.allocated, remaining.location, remaining.customer],
      [6, 0, locations.shelf, null],
    )
    assert.deepEqual(
      (await readHistory(service, item)).map(([code]) => code),
      [42],
    )
    const { shipped, allocated, allocations } = await get(`/api/order/so-line/${salesOrder.line}/?allocations=true`)
    assert.deepEqual([shipped, allocated, allocations[0].item, allocations[0].shipment_date], [4, 4, shippedItem.pk, today])
    const partDetails = await get(`/api/part/${chair}/`)
    assert.deepEqual(
      [
        partDetails.in_stock,
        partDetails.allocated_to_sales_orders,
        partDetails.required_for_sales_orders,
        partDetails.unallocated_stock,
      ],
      [6, 0, 2, 6],
    )
    assert.equal((await get(`/api/stock/?part=${chair}&in_stock=true`)).count, 1)
    const { status } = await get(`/api/order/so/${salesOrder.order}/`)
    assert.equal(status, 10, 'shipping does not change the status of the order')
    const [entry] = (await get(`/api/stock/track/?item=${shippedItem.pk}&ordering=-date`)).results.filter(
      (row: any) => row.tracking_type === 60,
    )
    assert.equal(entry.deltas.salesorder_detail.pk, salesOrder.order)
  })

  it('ships whole items and serialized units as they are', async () => {
    const lamp = await part({ trackable: true })
    const salesOrder = await sale(lamp, 2)
    const units = [await stock(lamp, 1, { serial: '1' }), await stock(lamp, 1, { serial: '2' })]
    for (const unit of units) await allocate(salesOrder, unit, 1)
    assert.equal((await ship(salesOrder, { shipment_date: '2031-02-03', delivery_date: '2031-02-05' })).status, 201)
    for (const unit of units) {
      const { location, sales_order, serial, quantity } = await get(`/api/stock/${unit}/`)
      assert.deepEqual([location, sales_order, quantity], [null, salesOrder.order, 1])
      assert.ok(serial)
      assert.deepEqual(
        (await readHistory(service, unit)).map(([code]) => code),
        [60],
      )
    }
    const { completed_lines, line_items } = await get(`/api/order/so/${salesOrder.order}/`)
    assert.deepEqual([completed_lines, line_items], [1, 1])
    const { shipment_date, delivery_date } = await get(`/api/order/so/shipment/${salesOrder.shipment}/`)
    assert.deepEqual([shipment_date, delivery_date], ['2031-02-03', '2031-02-05'])
  })

  it('ships an item in parts for several lines, until none is left', async () => {
    const chair = await part()
    const first = await sale(chair, 4)
    const second = { ...first, line: await line(first.order, chair, 6) }
    const item = await stock(chair, 10)
    await allocate(first, item, 4)
    await allocate(second, item, 6)
    assert.equal((await ship(first)).status, 201)
    const shippedItems = (await get(`/api/stock/?sales_order=${first.order}&ordering=quantity`)).results
    assert.deepEqual(
      shippedItems.map(({ quantity }: any) => quantity),
      [4, 6],
    )
    assert.equal(shippedItems[1].pk, item, 'the rest stays in the original item')
  })

  it('keeps the allocations of other orders', async () => {
    const chair = await part()
    const [one, other] = [await sale(chair, 4), await sale(chair, 6)]
    const item = await stock(chair, 10)
    await allocate(one, item, 4)
    await allocate(other, item, 6)
    await ship(one)
    const { quantity, allocated } = await get(`/api/stock/${item}/`)
    assert.deepEqual([quantity, allocated], [6, 6])
  })

  it('rejects shipping twice, an empty shipment, a closed order, and items no longer in stock', async () => {
    const chair = await part()
    const item = await stock(chair, 10)
    const salesOrder = await sale(chair, 4)
    assert.equal((await ship(salesOrder)).body.non_field_errors[0], 'Shipment has no allocated stock items')
    await allocate(salesOrder, item, 4)
    await service.rows('update stock_item set status = 75 where pk = $1', [item])
    assert.match((await ship(salesOrder)).body.non_field_errors[0], /no longer in stock/)
    await service.rows('update stock_item set status = 10 where pk = $1', [item])
    assert.equal((await ship(salesOrder)).status, 201)
    assert.equal((await ship(salesOrder)).body.non_field_errors[0], 'Shipment has already been sent')
    const closed = await sale(chair, 4)
    await allocate(closed, item, 1)
    await service.rows('update sales_order set status = 40 where pk = $1', [closed.order])
    assert.equal((await ship(closed)).status, 400)
    await service.rows('update sales_order set status = 10 where pk = $1', [closed.order])
    assert.equal((await ship({ ...salesOrder, shipment: 99_999 })).status, 404)
    const wrong = await ship(closed, { shipment_date: 'soon', tracking_number: 'x'.repeat(101) })
    assert.deepEqual(Object.keys(wrong.body), ['shipment_date', 'tracking_number'])
  })

  it('allows returned goods to ship once more', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 10)
    const item = await stock(chair, 10)
    await allocate(salesOrder, item, 4)
    await ship(salesOrder)
    const [shippedItem] = (await get(`/api/stock/?sales_order=${salesOrder.order}`)).results
    assert.equal((await member.post(`/api/stock/${shippedItem.pk}/return/`, { location: locations.shelf })).status, 201)
    const { quantity, allocated } = await get(`/api/stock/${item}/`)
    assert.deepEqual([quantity, allocated], [10, 0], 'it was merged into the item it was split from')
    assert.equal((await get(`/api/order/so-line/${salesOrder.line}/`)).shipped, 4, 'it was shipped')
    const nextShipment = { ...salesOrder, shipment: await shipment(salesOrder.order) }
    assert.equal((await allocate(nextShipment, item, 6)).status, 201)
    assert.equal((await ship(nextShipment)).status, 201)
  })

  it('sets no customer if the order’s customer was deleted', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 4)
    await allocate(salesOrder, await stock(chair, 4), 4)
    await service.rows('update sales_order set customer = null where pk = $1', [salesOrder.order])
    assert.equal((await ship(salesOrder)).status, 201)
    const [shippedItem] = (await get(`/api/stock/?sales_order=${salesOrder.order}`)).results
    assert.deepEqual([shippedItem.customer, shippedItem.location], [null, null])
    // only the order then records that it was shipped
    const rejection = await member.delete(`/api/order/so/${salesOrder.order}/`)
    assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, ['non_field_errors']])
    assert.equal((await get(`/api/part/${chair}/`)).in_stock, 0)
  })

  it('requires the permission to add sales orders, and checks If-Match', async () => {
    const chair = await part()
    await stock(chair, 100)
    const salesOrder = await sale(chair, 10)
    const stale = await member.post(`/api/order/so/shipment/${salesOrder.shipment}/ship/`, {}, { 'if-match': '"0"' })
    assert.equal(stale.status, 412)
    const shipments: number[] = []
    for (let index = 0; index < 10; index++) {
      const next = { ...salesOrder, shipment: await shipment(salesOrder.order) }
      await allocate(next, await stock(chair, 1), 1)
      shipments.push(next.shipment)
    }
    await assertCallers(
      service,
      (client) => client.post(`/api/order/so/shipment/${shipments.pop()}/ship/`),
      ['member', 'superuser'],
      () => get(`/api/order/so-line/${salesOrder.line}/`),
    )
  })
})

describe('/api/order/so/shipment/', () => {
  it('requires a reference that is unique in its order', async () => {
    const pk = await order()
    const post = (body: object) => member.post('/api/order/so/shipment/', { order: pk, ...body })
    const first = await post({})
    assert.deepEqual([first.status, first.body.reference, first.body.order_detail.pk], [201, '1', pk])
    assert.deepEqual((await post({})).body, { non_field_errors: ['The fields order, reference must make a unique set.'] })
    assert.equal((await post({ reference: '2', tracking_number: 'T', checked_by: service.getPk('member') })).status, 201)
    assert.deepEqual(Object.keys((await post({ reference: '' })).body), ['reference'])
    assert.deepEqual(Object.keys((await member.post('/api/order/so/shipment/', {})).body), ['order'])
    const count = async (query: string) => (await get(`/api/order/so/shipment/?order=${pk}&${query}`)).count
    assert.deepEqual([await count('shipped=false'), await count('shipped=true'), await count('delivered=false')], [2, 0, 2])
  })

  it('keeps its date once shipped, but allows correcting it', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 4)
    await allocate(salesOrder, await stock(chair, 4), 4)
    await ship(salesOrder)
    const url = `/api/order/so/shipment/${salesOrder.shipment}/`
    assert.deepEqual(Object.keys((await member.patch(url, { shipment_date: null })).body), ['shipment_date'])
    assert.equal((await member.patch(url, { shipment_date: '2031-01-01' })).body.shipment_date, '2031-01-01')
    assert.equal((await member.patch(url, { notes: 'At the *back* door' })).status, 200)
  })
})
