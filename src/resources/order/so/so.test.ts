import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { waitForStableDay } from '../../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { fillStock } from '../../stock/fixture.ts'

const service = await testService()
const { member, superuser } = service
const { part, customer, order, line, shipment, sale, stock, allocate, ship, assertSums } = createSalesHelpers(service)
beforeEach(() => fillStock(service))

const get = async (path: string) => (await member.get(path)).body
const post = (body: object) => member.post('/api/order/so/', body)
const changeSetting = (key: string, value: unknown) => superuser.patch(`/api/settings/global/${key}/`, { value })

describe('POST /api/order/so/', () => {
  it('creates a pending order of a customer', async () => {
    const customerPk = await customer()
    const { status, body } = await post({ reference: 'SO-0100', customer: customerPk, customer_reference: 'C-9' })
    assert.equal(status, 201)
    assert.deepEqual(
      [body.status, body.status_text, body.customer, body.customer_reference, body.total_price, body.shipment_date],
      [10, 'Pending', customerPk, 'C-9', '0.000000', null],
    )
    assert.deepEqual([body.line_items, body.completed_lines, body.overdue], [0, 0, false])
    assert.equal((await get(`/api/order/so/shipment/?order=${body.pk}`)).count, 0)
  })

  it('rejects invalid values', async () => {
    const customerPk = await customer()
    const [contact] = await service.rows('insert into contact (company, name) values (1, $1) returning pk', ['Someone'])
    await post({ reference: 'SO-1', customer: customerPk })
    const cases: [object, string][] = [
      [{ customer: customerPk }, 'reference'],
      [{ reference: 'PO-5', customer: customerPk }, 'reference'],
      [{ reference: 'SO-1', customer: customerPk }, 'reference'],
      [{ reference: 'SO-2' }, 'customer'],
      [{ reference: 'SO-2', customer: null }, 'customer'],
      [{ reference: 'SO-2', customer: 1 }, 'customer'],
      [{ reference: 'SO-2', customer: customerPk, contact: contact.pk }, 'contact'],
      [{ reference: 'SO-2', customer: customerPk, duplicate_order: 999_999 }, 'duplicate_order'],
    ]
    for (const [body, field] of cases) {
      const response = await post(body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
  })

  it('reports a pattern mismatch along with other errors, and accepts an unchanged reference', async () => {
    const rejection = await post({ reference: 'X', creation_date: 'soon', customer: 2 })
    assert.deepEqual(Object.keys(rejection.body).sort(), ['creation_date', 'reference'])
    const pk = await order({ reference: 'SO-77' })
    await changeSetting('SALESORDER_REFERENCE_PATTERN', 'S{ref:03d}')
    const { reference, customer: customerPk } = await get(`/api/order/so/${pk}/`)
    assert.equal((await member.put(`/api/order/so/${pk}/`, { reference, customer: customerPk, notes: 'n' })).status, 200)
    assert.deepEqual(Object.keys((await member.patch(`/api/order/so/${pk}/`, { reference: 'SO-78' })).body), ['reference'])
    const options = (await member.send('OPTIONS', '/api/order/so/')).body.actions.POST
    assert.equal(options.reference.default, 'S078')
    await changeSetting('SALESORDER_REFERENCE_PATTERN', 'SO-{ref:04d}')
  })

  it('starts with a shipment if the settings say so', async () => {
    await changeSetting('SALESORDER_DEFAULT_SHIPMENT', true)
    const pk = await order()
    await changeSetting('SALESORDER_DEFAULT_SHIPMENT', false)
    const { results } = await get(`/api/order/so/shipment/?order=${pk}`)
    assert.deepEqual(
      results.map(({ reference, shipment_date }: any) => [reference, shipment_date]),
      [['1', null]],
    )
  })

  it('copies lines and extra lines of another order, as not shipped', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 6)
    await member.patch(`/api/order/so-line/${salesOrder.line}/`, { sale_price: '2.5', sale_price_currency: 'USD', notes: 'n' })
    await member.post('/api/order/so-extra-line/', { order: salesOrder.order, quantity: 1, price: '4', price_currency: 'USD' })
    await allocate(salesOrder, await stock(chair, 6), 6)
    await ship(salesOrder)
    const { body } = await post({
      reference: 'SO-0500',
      customer: await customer(),
      duplicate_order: salesOrder.order,
      duplicate_line_items: true,
      duplicate_extra_lines: true,
    })
    assert.deepEqual([body.total_price, body.line_items, body.completed_lines], ['19.000000', 1, 0])
    const [copy] = (await get(`/api/order/so-line/?order=${body.pk}`)).results
    assert.deepEqual([copy.quantity, copy.shipped, copy.allocated, copy.sale_price, copy.notes], [6, 0, 0, '2.500000', 'n'])
    await assertSums()
  })

  it('requires the permission to add sales orders', async () => {
    const customerPk = await customer()
    let number = 0
    await assertCallers(
      service,
      (client) => client.post('/api/order/so/', { reference: `SO-9${++number}`, customer: customerPk }),
      ['member', 'superuser'],
      () => get('/api/order/so/?limit=1000'),
    )
  })
})

describe('GET /api/order/so/', () => {
  it('filters orders by their contents and target dates', async () => {
    const today = await waitForStableDay()
    const chair = await part()
    const late = await order({ target_date: '2020-01-01', customer_reference: 'needle in hay' })
    const salesOrder = await sale(chair)
    const listKeys = async (query: string) => (await get(`/api/order/so/?${query}`)).results.map(({ pk }: any) => pk)
    assert.deepEqual(await listKeys(`part=${chair}`), [salesOrder.order])
    assert.deepEqual(await listKeys('part=999999'), [salesOrder.order, late])
    assert.deepEqual(await listKeys('overdue=true'), [late])
    assert.deepEqual(await listKeys('search=needle'), [late])
    assert.deepEqual(await listKeys('min_date=2019-12-31&max_date=2020-01-02'), [late])
    await member.post(`/api/order/so/${salesOrder.order}/complete/`, { accept_incomplete: true })
    assert.deepEqual(await listKeys('outstanding=true'), [salesOrder.order, late], 'its shipment is still open')
    await member.delete(`/api/order/so/shipment/${salesOrder.shipment}/`)
    await member.post(`/api/order/so/${salesOrder.order}/complete/`, { accept_incomplete: true })
    assert.deepEqual(await listKeys('outstanding=true'), [late])
    assert.deepEqual(await listKeys(`min_date=${today}&max_date=${today}`), [salesOrder.order])
    assert.deepEqual(await listKeys('ordering=reference'), [late, salesOrder.order])
    assert.equal((await get(`/api/order/so/${salesOrder.order}/?customer_detail=true`)).customer_detail.currency, 'USD')
  })
})

describe('/api/order/so-line/', () => {
  it('accepts a salable part, or none', async () => {
    const pk = await order()
    const chair = await part()
    const post = (body: object) => member.post('/api/order/so-line/', { order: pk, quantity: 1, ...body })
    assert.equal((await post({ part: chair })).status, 201)
    assert.equal((await post({ part: null })).status, 201)
    assert.equal((await post({ part: chair, quantity: 0 })).status, 201, 'a part may be on two lines')
    for (const [body, field] of [
      [{ part: 1 }, 'part'],
      [{ part: chair, quantity: -1 }, 'quantity'],
      [{ part: chair, quantity: '-0.000001' }, 'quantity'],
      [{ part: chair, quantity: undefined }, 'quantity'],
      [{ part: chair, sale_price: 'much' }, 'sale_price'],
      [{ part: chair, order: 999_999 }, 'order'],
    ] as [object, string][])
      assert.deepEqual(Object.keys((await post(body)).body), [field], JSON.stringify(body))
    assert.equal((await get(`/api/order/so/${pk}/`)).line_items, 3)
  })

  it('counts in the total of its order, also after a move to another order', async () => {
    const [one, other] = [await order(), await order()]
    const chair = await part()
    const priced = { sale_price: '2.5', sale_price_currency: 'USD' }
    const pk = await line(one, chair, 4, priced)
    const readTotals = async () =>
      Promise.all([one, other].map(async (orderPk) => (await get(`/api/order/so/${orderPk}/`)).total_price))
    assert.deepEqual(await readTotals(), ['10.000000', '0.000000'])
    await member.patch(`/api/order/so-line/${pk}/`, { order: other, quantity: 2 })
    assert.deepEqual(await readTotals(), ['0.000000', '5.000000'])
    const extra = { order: other, quantity: 2, price: '-1', price_currency: 'USD' }
    await member.post('/api/order/so-extra-line/', extra)
    assert.deepEqual(await readTotals(), ['0.000000', '3.000000'])
    await member.delete(`/api/order/so-line/${pk}/`)
    assert.deepEqual(await readTotals(), ['0.000000', '-2.000000'])
    await assertSums()
  })

  it('is overdue after its own target date, or that of its open order', async () => {
    const pk = await order({ target_date: '2020-01-01' })
    const chair = await part()
    const [own, none] = [await line(pk, chair, 1, { target_date: '2090-01-01' }), await line(pk, chair, 1)]
    const isOverdue = async (linePk: number) => (await get(`/api/order/so-line/${linePk}/`)).overdue
    assert.deepEqual([await isOverdue(own), await isOverdue(none)], [false, true])
    await member.post(`/api/order/so/${pk}/cancel/`)
    assert.equal(await isOverdue(none), false)
  })

  it('filters lines by whether enough is available, allocated or shipped', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const orderPk = await order()
    const enough = await line(orderPk, goods, 4)
    const tooMuch = await line(orderPk, goods, 12)
    const [lineWithoutPart] = await service.rows(
      `insert into sales_order_line ("order", part, quantity, shipped, sale_price_currency) values ($1, null, 5, 0, 'USD') returning pk`,
      [orderPk],
    )
    const listByAvailability = async (value: boolean) =>
      (await get(`/api/order/so-line/?order=${orderPk}&available=${value}&ordering=quantity&limit=9`)).results
        .map(({ pk }: { pk: number }) => pk)
        .sort((a: number, b: number) => a - b)
    assert.deepEqual(await listByAvailability(false), [tooMuch])
    assert.deepEqual(await listByAvailability(true), [enough, lineWithoutPart.pk])
    // stock allocated to one line is not available to the others
    const shipmentPk = await shipment(orderPk)
    assert.equal((await allocate({ order: orderPk, line: tooMuch, shipment: shipmentPk }, item, 8)).status, 201)
    assert.deepEqual(await listByAvailability(false), [enough, tooMuch])
    await stock(goods, 6)
    assert.deepEqual(await listByAvailability(false), [])
  })

  it('filters lines by their contents', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 2)
    await member.patch(`/api/order/so-line/${salesOrder.line}/`, { sale_price: '1', reference: 'Haystack' })
    await allocate(salesOrder, await stock(chair, 2), 2)
    await ship(salesOrder)
    for (const query of [
      `part=${chair}`,
      `order=${salesOrder.order}`,
      'completed=true',
      'has_pricing=true',
      'order_status=10',
      'order_complete=false',
      'search=haystack',
    ])
      assert.deepEqual(
        (await get(`/api/order/so-line/?${query}`)).results.map(({ pk }: any) => pk),
        [salesOrder.line],
        query,
      )
    const { order_detail, customer_detail, part_detail } = await get(
      `/api/order/so-line/${salesOrder.line}/?order_detail=true&customer_detail=true&part_detail=true`,
    )
    assert.deepEqual([order_detail.pk, part_detail.pk, typeof customer_detail.name], [salesOrder.order, chair, 'string'])
  })
})

describe('the actions of a sales order', () => {
  const act = (pk: number, action: string, body: object = {}) => member.post(`/api/order/so/${pk}/${action}/`, body)
  const createWithStatus = async (status: number) => {
    const { order: pk } = await sale(await part())
    await service.rows('delete from sales_order_shipment where "order" = $1', [pk])
    await service.rows('update sales_order set status = $2 where pk = $1', [pk, status])
    return pk
  }

  it('POST issue puts a pending order in progress, once', async () => {
    const pk = await createWithStatus(10)
    const responses = await Promise.all(Array.from({ length: 8 }, () => act(pk, 'issue')))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400, 400, 400])
    assert.equal((await get(`/api/order/so/${pk}/`)).status_text, 'In Progress')
    for (const state of [15, 20, 40, 50, 60])
      assert.equal((await act(await createWithStatus(state), 'issue')).status, 400, String(state))
    assert.equal((await act(999_999, 'issue')).status, 404)
  })

  it('POST cancel releases allocations, but not shipped goods', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 10)
    const item = await stock(chair, 10)
    await allocate(salesOrder, item, 4)
    await ship(salesOrder)
    await allocate({ ...salesOrder, shipment: await shipment(salesOrder.order) }, item, 3)
    assert.deepEqual((await act(salesOrder.order, 'cancel')).body, {})
    const partDetails = await get(`/api/part/${chair}/`)
    assert.deepEqual(
      [partDetails.allocated_to_sales_orders, partDetails.required_for_sales_orders, partDetails.in_stock],
      [0, 0, 6],
    )
    assert.equal((await get(`/api/order/so-allocation/?order=${salesOrder.order}`)).count, 1)
    for (const state of [20, 40, 50, 60]) {
      const { status, body } = await act(await createWithStatus(state), 'cancel')
      assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']], String(state))
    }
    await assertSums()
  })

  it('POST complete requires everything shipped or accept_incomplete, and no open shipment', async () => {
    const today = await waitForStableDay()
    const chair = await part()
    const salesOrder = await sale(chair, 4)
    await allocate(salesOrder, await stock(chair, 10), 3)
    assert.deepEqual(Object.keys((await act(salesOrder.order, 'complete')).body), ['accept_incomplete'])
    const rejection = await act(salesOrder.order, 'complete', { accept_incomplete: true })
    assert.match(rejection.body.non_field_errors[0], /incomplete shipments/)
    await ship(salesOrder)
    const response = await act(salesOrder.order, 'complete', { accept_incomplete: true })
    assert.deepEqual([response.status, response.body], [201, { accept_incomplete: true }])
    const { status, shipment_date } = await get(`/api/order/so/${salesOrder.order}/`)
    assert.deepEqual([status, shipment_date], [20, today])
    assert.equal((await get(`/api/part/${chair}/`)).required_for_sales_orders, 0)
    const empty = await order()
    assert.match((await act(empty, 'complete', { accept_incomplete: true })).body.non_field_errors[0], /no parts/)
    for (const state of [20, 40, 50, 60])
      assert.match(
        (await act(await createWithStatus(state), 'complete', { accept_incomplete: true })).body.non_field_errors[0],
        /Only an open order/,
        String(state),
      )
    await assertSums()
  })

  it('POST complete ignores a line without a part', async () => {
    const chair = await part()
    const salesOrder = await sale(chair, 4)
    const bare = await member.post('/api/order/so-line/', { order: salesOrder.order, quantity: 2, reference: 'Advice' })
    assert.equal(bare.status, 201, bare.text)
    await allocate(salesOrder, await stock(chair, 4), 4)
    await ship(salesOrder)
    const response = await act(salesOrder.order, 'complete')
    assert.equal(response.status, 201, response.text)
  })

  it('require the permission to add sales orders, and check If-Match', async () => {
    for (const [action, body] of Object.entries({ issue: {}, cancel: {}, complete: { accept_incomplete: true } })) {
      const pks = await Promise.all(Array.from({ length: 10 }, () => createWithStatus(10)))
      const [first] = pks
      assert.equal((await member.post(`/api/order/so/${first}/${action}/`, body, { 'if-match': '"0"' })).status, 412, action)
      await assertCallers(
        service,
        (client) => client.post(`/api/order/so/${pks.pop()}/${action}/`, body),
        ['member', 'superuser'],
        () => get('/api/order/so/?limit=1000&status=10'),
      )
    }
  })
})

describe('sales order keys of stock imported before there were sales orders', () => {
  it('stay on their stock items', async () => {
    const [{ convalidated }] = await service.rows(
      `select convalidated from pg_constraint where conname = 'stock_item_sales_order_sales_order_pk_fk'`,
    )
    assert.equal(convalidated, false)
    const item = await stock(await part(), 3)
    const client = await service.pool.connect()
    await client.query('begin; set local session_replication_role = replica')
    await client.query('update stock_item set sales_order = 4711 where pk = $1', [item])
    await client.query('commit')
    client.release()
    assert.equal((await member.patch(`/api/stock/${item}/`, { notes: 'still there' })).status, 200)
    const { sales_order, sales_order_reference } = await get(`/api/stock/${item}/`)
    assert.deepEqual([sales_order, sales_order_reference], [4711, null])
  })
})
