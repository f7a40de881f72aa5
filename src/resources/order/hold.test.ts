import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createReturnHelpers } from '../../testing/objects/returning.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { assertCallers, type TestService, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { buildErrors } from '../build/build-errors.ts'
import { deliverNotifications } from '../notifications/deliver-notifications.ts'
import { fillStock, locations } from '../stock/fixture.ts'
import { orderErrors } from './order-errors.ts'

const service = await testService()
const inventree = await testService({ WIRE_FORM: 'inventree' })
const { member } = service
const { services } = service.app.routes
const createHelpers = (target: TestService) => ({
  purchases: createPurchaseHelpers(target),
  sales: createSalesHelpers(target),
  returns: createReturnHelpers(target),
  builds: createBuildHelpers(target),
})
const { purchases, sales, returns, builds } = createHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  for (const check of ['verify_quantities', 'verify_allocations', 'verify_build_allocations'])
    assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
})

let number = 0
const createPurchase = async (target = service, { supplier, supplierPart } = purchases) => {
  const company = await supplier()
  const { pk } = (await target.member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: company })).body
  const part = await supplierPart(company)
  await target.member.post('/api/order/po-line/', { order: pk, part, quantity: 4 })
  return pk as number
}

/** Each kind of order: the path and table, the statuses of issued and closed orders, and the events of hold and issue. */
const listKinds = (target: TestService, helpers: ReturnType<typeof createHelpers>) => [
  {
    name: 'purchase order',
    path: '/api/order/po/',
    table: 'purchase_order',
    create: () => createPurchase(target, helpers.purchases),
    issued: 20,
    closed: [30, 40, 50, 60],
    events: ['purchaseorder.hold', 'purchaseorder.placed'],
  },
  {
    name: 'sales order',
    path: '/api/order/so/',
    table: 'sales_order',
    create: () => helpers.sales.order(),
    issued: 15,
    closed: [20, 40, 50, 60],
    events: ['salesorder.onhold', 'salesorder.issued'],
  },
  {
    name: 'return order',
    path: '/api/order/ro/',
    table: 'return_order',
    create: () => helpers.returns.order(),
    issued: 20,
    closed: [30, 40],
    events: ['returnorder.hold', 'returnorder.issued'],
  },
  {
    name: 'build order',
    path: '/api/build/',
    table: 'build_order',
    create: async () => helpers.builds.build(await helpers.builds.part({ assembly: true })),
    issued: 20,
    closed: [30, 40],
    events: ['build.hold', 'build.issued'],
  },
]

for (const { name, path, table, create, issued, closed, events } of listKinds(service, createHelpers(service))) {
  const read = async (pk: number) => (await member.get(`${path}${pk}/`)).body
  const act = (pk: number, action: string, body: object = {}) => member.post(`${path}${pk}/${action}/`, body)
  const setStatus = (pk: number, status: number) => service.rows(`update ${table} set status = $2 where pk = $1`, [pk, status])
  const lists = async (pk: number, filter: string) =>
    (await member.get(`${path}?${filter}&limit=1000`)).body.results.some((order: { pk: number }) => order.pk === pk)
  const readLastEvent = async (pk: number) =>
    (await service.rows('select kind from event where model = $1 and key = $2 order by id desc limit 1', [table, pk]))[0]?.kind

  describe(`POST ${path}{id}/hold/`, () => {
    it(`puts a ${name} on hold that is pending or issued; it remains open`, async () => {
      for (const status of [10, issued]) {
        const pk = await create()
        await setStatus(pk, status)
        const response = await act(pk, 'hold')
        assert.deepEqual([response.status, response.body], [201, {}])
        const order = await read(pk)
        assert.deepEqual([order.status, order.status_text], [25, 'On Hold'])
        assert.equal(await readLastEvent(pk), events[0])
        assert.ok(await lists(pk, `${table === 'build_order' ? 'active' : 'outstanding'}=true`))
        assert.ok(await lists(pk, 'status=25'))
        assert.equal((await member.patch(`${path}${pk}/`, { target_date: '2020-01-01' })).body.overdue, true)
      }
    })

    it('rejects any other status, with the reason', async () => {
      for (const status of [25, ...closed]) {
        const pk = await create()
        await setStatus(pk, status)
        const before = await read(pk)
        const response = await act(pk, 'hold')
        assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']])
        assert.deepEqual(await read(pk), before)
      }
    })

    it('lets one of several concurrent requests succeed', async () => {
      const pk = await create()
      const responses = await Promise.all(Array.from({ length: 5 }, () => act(pk, 'hold')))
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400, 400])
    })

    it('returns 404 for an unknown order', async () => assert.equal((await act(999_999, 'hold')).status, 404))

    it('requires the permission to add such orders', async () => {
      const pk = await create()
      await assertCallers(
        service,
        (client) => client.post(`${path}${pk}/hold/`),
        ['member', 'superuser'],
        () => read(pk),
      )
    })
  })

  describe(`POST ${path}{id}/issue/`, () => {
    it(`resumes a ${name} on hold`, async () => {
      const pk = await create()
      await act(pk, 'hold')
      const response = await act(pk, 'issue')
      assert.deepEqual([response.status, response.body], [201, {}])
      assert.equal((await read(pk)).status, issued)
      assert.equal(await readLastEvent(pk), events[1])
    })

    it('rejects an order that is neither pending nor on hold', async () => {
      for (const status of [issued, ...closed]) {
        const pk = await create()
        await setStatus(pk, status)
        assert.equal((await act(pk, 'issue')).status, 400)
        assert.equal((await read(pk)).status, status)
      }
    })
  })

  describe(`POST ${path}{id}/cancel/`, () => {
    it(`cancels a ${name} on hold`, async () => {
      const pk = await create()
      await act(pk, 'hold')
      assert.equal((await act(pk, 'cancel')).status, 201)
      assert.equal((await read(pk)).status, table === 'build_order' ? 30 : 40)
    })
  })
}

for (const { path, create, issued } of listKinds(inventree, createHelpers(inventree)))
  describe(`${path} for existing clients`, () => {
    it('accepts hold and issue of an order that has that status already, and changes nothing', async () => {
      await fillStock(inventree)
      const pk = await create()
      const statuses: [string, number][] = [
        ['hold', 25],
        ['hold', 25],
        ['issue', issued],
        ['issue', issued],
      ]
      for (const [action, status] of statuses) {
        assert.equal((await inventree.member.post(`${path}${pk}/${action}/`, {})).status, 201)
        assert.equal((await inventree.member.get(`${path}${pk}/`)).body.status, status)
      }
    })
  })

/** The status of a response, and its error. */
const readReason = ({ status, body }: { status: number; body: any }): [number, string] => [status, body.non_field_errors?.[0]]
const ORDER_ON_HOLD = [400, orderErrors.order_on_hold.message]
const BUILD_ON_HOLD = [400, buildErrors.build_on_hold.message]

describe('a purchase order on hold', () => {
  it('can be changed, but not received or completed; its goods count as on order', async () => {
    const pk = await createPurchase()
    const [line] = (await member.get(`/api/order/po-line/?order=${pk}`)).body.results
    await member.post(`/api/order/po/${pk}/issue/`)
    await member.post(`/api/order/po/${pk}/hold/`)
    assert.equal((await member.patch(`/api/order/po-line/${line.pk}/`, { quantity: 5 })).status, 200)
    const items = [{ line_item: line.pk, quantity: 1 }]
    const received = await member.post(`/api/order/po/${pk}/receive/`, { items, location: locations.shelf })
    assert.deepEqual(readReason(received), ORDER_ON_HOLD)
    const completed = await member.post(`/api/order/po/${pk}/complete/`, { accept_incomplete: true })
    assert.deepEqual(readReason(completed), ORDER_ON_HOLD)
    assert.equal((await member.get(`/api/order/po-line/${line.pk}/`)).body.received, 0)
  })

  it('keeps the date of its first issue', async () => {
    const pk = await createPurchase()
    await member.post(`/api/order/po/${pk}/issue/`)
    await service.rows(`update purchase_order set issue_date = '2020-02-02' where pk = $1`, [pk])
    await member.post(`/api/order/po/${pk}/hold/`)
    await member.post(`/api/order/po/${pk}/issue/`)
    assert.equal((await member.get(`/api/order/po/${pk}/`)).body.issue_date, '2020-02-02')
  })
})

describe('a sales order on hold', () => {
  it('keeps its allocations and takes more, but is not shipped or completed', async () => {
    const part = await sales.part()
    const sale = await sales.sale(part, 5)
    const item = await sales.stock(part, 9)
    assert.equal((await sales.allocate(sale, item, 2)).status, 201)
    assert.equal((await member.post(`/api/order/so/${sale.order}/hold/`)).status, 201)
    assert.equal((await sales.allocate(sale, item, 3)).status, 201)
    assert.equal((await member.get(`/api/stock/${item}/`)).body.allocated, 5)
    assert.equal((await member.get(`/api/part/${part}/`)).body.required_for_sales_orders, 5)
    assert.deepEqual(readReason(await sales.ship(sale)), ORDER_ON_HOLD)
    const completed = await member.post(`/api/order/so/${sale.order}/complete/`, { accept_incomplete: true })
    assert.deepEqual(readReason(completed), ORDER_ON_HOLD)
    assert.equal((await member.post(`/api/order/so/${sale.order}/issue/`)).status, 201)
    assert.equal((await sales.ship(sale)).status, 201)
  })

  it('is in the calendar of open orders', async () => {
    const pk = await sales.order({ target_date: '2031-05-05' })
    await member.post(`/api/order/so/${pk}/hold/`)
    const { text } = await member.get('/api/order/calendar/sales-order/calendar.ics')
    assert.ok(text.includes(`UID:salesorder-${pk}@`))
  })
})

describe('a return order on hold', () => {
  it('does not receive items, and is not completed', async () => {
    const { order, line } = await returns.coming()
    await member.post(`/api/order/ro/${order}/hold/`)
    assert.deepEqual(readReason(await returns.receive(order, [line], locations.shelf)), ORDER_ON_HOLD)
    assert.deepEqual(readReason(await member.post(`/api/order/ro/${order}/complete/`)), ORDER_ON_HOLD)
  })
})

describe('a build order on hold', () => {
  it('keeps its allocations and takes more, but makes no outputs and consumes nothing', async () => {
    const [chair, leg] = [await builds.part({ assembly: true }), await builds.part()]
    await builds.bom(chair, leg, 2)
    const pk = await builds.build(chair, 3)
    const [line] = await builds.linesOf(pk)
    const item = await builds.stock(leg, 10)
    const [output] = await builds.begin(pk, 3)
    await builds.allocate(pk, line.pk, item, 2)
    await builds.act(pk, 'hold')
    assert.equal((await builds.allocate(pk, line.pk, item, 3)).status, 201)
    assert.equal((await builds.act(pk, 'auto-allocate', {})).status, 201)
    assert.equal((await builds.linesOf(pk))[0].allocated, 6)
    const outputs = [{ output, quantity: 1 }]
    for (const [action, body] of [
      ['create-output', { quantity: 1 }],
      ['complete', { outputs, location: locations.shelf }],
      ['scrap-outputs', { outputs, location: locations.shelf, notes: 'Cracked' }],
      ['finish', { accept_incomplete: true, accept_unallocated: true }],
    ] as const)
      assert.deepEqual(readReason(await builds.act(pk, action, body)), BUILD_ON_HOLD, action)
    assert.equal((await member.get(`/api/stock/${item}/`)).body.quantity, 10)
    assert.equal((await member.get(`/api/part/${leg}/`)).body.required_for_build_orders, 6)
    assert.equal((await builds.act(pk, 'delete-outputs', { outputs: [{ output }] })).status, 201)
    assert.equal((await builds.act(pk, 'unallocate')).status, 201)
  })

  it('follows its BOM', async () => {
    const [chair, leg] = [await builds.part({ assembly: true }), await builds.part()]
    const item = await builds.bom(chair, leg, 2)
    const pk = await builds.build(chair, 3)
    await builds.act(pk, 'hold')
    await member.patch(`/api/bom/${item}/`, { quantity: 4 })
    assert.equal((await builds.linesOf(pk))[0].quantity, 12)
  })
})

describe('the notification of those responsible', () => {
  it('says that the order is on hold, and not that it is new when it resumes', async () => {
    const viewer = service.getPk('viewer')
    const [owner] = await service.rows('select pk from owner where "user" = $1', [viewer])
    const pk = await createPurchase()
    await member.post(`/api/order/po/${pk}/issue/`)
    await member.patch(`/api/order/po/${pk}/`, { responsible: owner.pk })
    const readCategories = async () => {
      await deliverNotifications(services)
      await waitUntil(async () => (await service.rows('select 1 from notice')).length === 0, 'a notice is not delivered')
      return (await service.rows(`select category from notification where "user" = $1 order by pk`, [viewer])).map(
        (row) => row.category,
      )
    }
    await readCategories()
    await service.rows('delete from notification')
    await member.post(`/api/order/po/${pk}/hold/`)
    await member.post(`/api/order/po/${pk}/issue/`)
    assert.deepEqual(await readCategories(), ['order.held_purchaseorder'])
  })
})
