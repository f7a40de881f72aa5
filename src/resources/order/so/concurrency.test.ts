import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { type TestResponse, testService } from '../../../testing/service.ts'
import { assertHistorySums, fillStock, locations } from '../../stock/fixture.ts'

const service = await testService()
const { member } = service
const { part, sale, stock, allocate, line, shipment, ship, assertSums } = createSalesHelpers(service)

const CLIENT_COUNT = 32

/** Whether all records of shipped goods still exist; one test deletes some. */
let hasAllRecords = true
beforeEach(() => {
  hasAllRecords = true
  return fillStock(service)
})
afterEach(async () => {
  await assertSums(hasAllRecords)
  await assertHistorySums(service)
  assert.deepEqual(await service.rows('select pk from stock_item where quantity < 0 or allocated_to_sales_orders > quantity'), [])
})

const get = async (path: string) => (await member.get(path)).body
const sendFromAllClients = (sendRequest: (client: number) => Promise<TestResponse>) =>
  Promise.all(Array.from({ length: CLIENT_COUNT }, (_, client) => sendRequest(client)))
/** Asserts that each request succeeded or was rejected with a reason; returns the number that succeeded. */
const countAccepted = (responses: readonly TestResponse[]): number => {
  for (const { status, text } of responses) assert.ok([200, 201, 204, 400, 404].includes(status), `${status} ${text}`)
  return responses.filter(({ status }) => status < 300).length
}
const act = (action: string, body: object) => member.post(`/api/stock/${action}/`, body)

describe(`${CLIENT_COUNT} clients that use the same stock`, () => {
  it('never allocate more than is in stock, for one order or for many', async () => {
    const chair = await part()
    const item = await stock(chair, 10)
    const same = await sale(chair, 100)
    assert.equal(countAccepted(await sendFromAllClients(() => allocate(same, item, 3))), 3)
    const other = await stock(chair, 10)
    const sales = await Promise.all(Array.from({ length: CLIENT_COUNT }, () => sale(chair, 3)))
    assert.equal(countAccepted(await sendFromAllClients((client) => allocate(sales[client] as (typeof sales)[0], other, 3))), 3)
    assert.equal((await get(`/api/stock/${other}/`)).allocated, 9)
  })

  it('never allocate more to a line than its shortage', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 10)
    const items = [await stock(chair, 100), await stock(chair, 100)]
    assert.equal(countAccepted(await sendFromAllClients((client) => allocate(salesOrder, items[client % 2] as number, 3))), 3)
  })

  it('allocate a serial number once', async () => {
    const lamp = await part({ trackable: true })
    const unit = await stock(lamp, 1, { serial: '7' })
    const sales = await Promise.all(Array.from({ length: CLIENT_COUNT }, () => sale(lamp, 2)))
    const responses = await sendFromAllClients((client) => {
      const { order, line: line_item, shipment: shipmentPk } = sales[client] as (typeof sales)[0]
      return client % 2
        ? allocate(sales[client] as (typeof sales)[0], unit, 1)
        : member.post(`/api/order/so/${order}/allocate-serials/`, {
            line_item,
            quantity: 1,
            serial_numbers: '7',
            shipment: shipmentPk,
          })
    })
    assert.equal(countAccepted(responses), 1)
  })

  it('lock two items named in either order without a deadlock', async () => {
    const chair = await part()
    const items = [await stock(chair, 50), await stock(chair, 50)]
    const sales = await Promise.all(Array.from({ length: CLIENT_COUNT }, () => sale(chair, 10)))
    const responses = await sendFromAllClients((client) => {
      const { order, line: line_item, shipment: shipmentPk } = sales[client] as (typeof sales)[0]
      const itemOrder = client % 2 ? items : items.toReversed()
      return member.post(`/api/order/so/${order}/allocate/`, {
        items: itemOrder.map((stock_item) => ({ line_item, stock_item, quantity: 2 })),
        shipment: shipmentPk,
      })
    })
    assert.equal(countAccepted(responses), 25)
  })

  it('change allocations, and together never exceed the stock', async () => {
    const chair = await part()
    const item = await stock(chair, CLIENT_COUNT * 2)
    const salesOrder = await sale(chair, 1000)
    for (let index = 0; index < CLIENT_COUNT; index++) await allocate(salesOrder, item, 1)
    const { results } = await get(`/api/order/so-allocation/?order=${salesOrder.order}&limit=100`)
    const responses = await sendFromAllClients((client) =>
      member.patch(`/api/order/so-allocation/${results[client].pk}/`, { quantity: 4 }),
    )
    assert.equal(countAccepted(responses), Math.floor(CLIENT_COUNT / 3))
  })
})

describe('a shipment under concurrent requests', () => {
  it('ships once', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 10)
    const item = await stock(chair, 10)
    await allocate(salesOrder, item, 4)
    assert.equal(countAccepted(await sendFromAllClients(() => ship(salesOrder))), 1)
    assert.equal((await get(`/api/order/so-line/${salesOrder.line}/`)).shipped, 4)
    assert.equal((await get(`/api/stock/${item}/`)).quantity, 6)
  })

  it('ships while its stock is removed, counted, moved, split and deleted', async () => {
    for (let round = 0; round < 3; round++) {
      const chair = await part()
      const sales = await Promise.all(Array.from({ length: 8 }, () => sale(chair, 4)))
      const items = [await stock(chair, 20), await stock(chair, 20)]
      for (const [index, salesOrder] of sales.entries())
        assert.equal((await allocate(salesOrder, items[index % 2] as number, 4)).status, 201)
      const responses = await sendFromAllClients((client) => {
        const pk = items[client % 2] as number
        const { order } = sales[client % 8] as (typeof sales)[0]
        switch (client % 8) {
          case 0:
          case 1:
          case 2:
            return ship(sales[client >> 2] as (typeof sales)[0])
          case 3:
            return act('remove', { items: [{ pk, quantity: 3 }] })
          case 4:
            return act('count', { items: [{ pk, quantity: 16 }] })
          case 5:
            return act('transfer', { items: [{ pk, quantity: 2 }], location: locations.box })
          case 6:
            return act('add', { items: [{ pk, quantity: 1 }] })
          default:
            return client === 31 ? member.delete(`/api/stock/${pk}/`) : member.post(`/api/order/so/${order}/cancel/`)
        }
      })
      countAccepted(responses)
    }
  })

  it('ships or its order is cancelled, whichever is first', async () => {
    for (let round = 0; round < 8; round++) {
      const chair = await part()
      const salesOrder = await sale(chair, 10)
      const item = await stock(chair, 10)
      await allocate(salesOrder, item, 4)
      const [shipResponse, cancellation] = await Promise.all([
        ship(salesOrder),
        member.post(`/api/order/so/${salesOrder.order}/cancel/`),
      ])
      countAccepted([shipResponse, cancellation] as TestResponse[])
      const { shipped, allocated } = await get(`/api/order/so-line/${salesOrder.line}/`)
      const { quantity } = await get(`/api/stock/${item}/`)
      if (shipResponse?.status === 201) assert.deepEqual([shipped, allocated, quantity], [4, 4, 6])
      else assert.deepEqual([shipped, allocated, quantity], [0, 0, 10])
      assert.equal((await get(`/api/order/so/${salesOrder.order}/`)).status, 40)
    }
  })

  it('ships exactly the allocated quantity while its items are merged', async () => {
    for (let round = 0; round < 8; round++) {
      const chair = await part()
      const salesOrder = await sale(chair, 10)
      const [first, second] = [await stock(chair, 10), await stock(chair, 10)]
      await allocate(salesOrder, first, 3)
      await allocate(salesOrder, second, 4)
      const items = (round % 2 ? [first, second] : [second, first]).map((item) => ({ item }))
      const responses = await Promise.all([
        act('merge', { items, location: locations.box }),
        ship(salesOrder),
        allocate(await sale(chair, 5), second, 5),
        act('merge', { items: items.toReversed(), location: locations.shelf }),
      ])
      countAccepted(responses)
      const shippedItems = (await get(`/api/stock/?sales_order=${salesOrder.order}`)).results
      assert.equal(
        shippedItems.reduce((sum: number, { quantity }: any) => sum + quantity, 0),
        responses[1]?.status === 201 ? 7 : 0,
      )
      const rest = (await get(`/api/stock/?part=${chair}`)).results
      assert.equal(
        rest.reduce((sum: number, { quantity }: any) => sum + quantity, 0),
        20,
      )
    }
  })

  it('ships while lines, shipments and allocations are written and deleted', async () => {
    hasAllRecords = false
    const chair = await part()
    const salesOrder = await sale(chair, 100)
    const lines = [salesOrder.line, await line(salesOrder.order, chair, 50), await line(salesOrder.order, chair, 50)]
    const shipments = [salesOrder.shipment, await shipment(salesOrder.order), await shipment(salesOrder.order)]
    const items = [await stock(chair, 40), await stock(chair, 40)]
    for (let index = 0; index < 9; index++)
      await allocate(
        { ...salesOrder, line: lines[index % 3] as number, shipment: shipments[index % 3] as number },
        items[index % 2] as number,
        2,
      )
    const { results } = await get(`/api/order/so-allocation/?order=${salesOrder.order}`)
    const responses = await sendFromAllClients((client) => {
      const pk = results[client % 9].pk
      switch (client % 8) {
        case 0:
          return ship({ ...salesOrder, shipment: shipments[client >> 3] ?? (shipments[0] as number) })
        case 1:
          return member.delete(`/api/order/so-allocation/${pk}/`)
        case 2:
          return member.patch(`/api/order/so-allocation/${pk}/`, { quantity: 3, item: items[client % 3 ? 0 : 1] })
        case 3:
          return member.patch(`/api/order/so-line/${lines[1]}/`, { quantity: client })
        case 4:
          return client === 28
            ? member.delete(`/api/order/so-line/${lines[2]}/`)
            : member.get(`/api/order/so/${salesOrder.order}/`)
        case 5:
          return client === 29 ? member.delete(`/api/order/so/shipment/${shipments[2]}/`) : ship(salesOrder)
        case 6:
          return allocate({ ...salesOrder, shipment: shipments[1] as number }, items[0] as number, 1)
        default:
          return member.post(`/api/order/so/${salesOrder.order}/complete/`, { accept_incomplete: true })
      }
    })
    countAccepted(responses)
  })

  it('ships once with one Idempotency-Key, and repeats the response', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 10)
    await allocate(salesOrder, await stock(chair, 10), 4)
    const responses = await sendFromAllClients(() =>
      member.post(
        `/api/order/so/shipment/${salesOrder.shipment}/ship/`,
        {},
        { 'idempotency-key': `ship ${salesOrder.shipment}` },
      ),
    )
    for (const { status, body } of responses) assert.deepEqual([status, body], [201, responses[0]?.body])
    assert.equal((await get(`/api/order/so-line/${salesOrder.line}/`)).shipped, 4)
  })
})
