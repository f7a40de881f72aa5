import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'

/** Orders as existing clients expect them: docs/configuration.md#wire-form. */
const service = await testService({ WIRE_FORM: 'inventree' })
const { supplier, supplierPart, location } = createPurchaseHelpers(service)
const { member } = service

const makeOrder = async (fields: Record<string, unknown> = {}) =>
  (await member.post('/api/order/po/', { supplier: await supplier(), ...fields })).body

describe('WIRE_FORM=inventree: /api/order/po/', () => {
  it('takes the next reference when none is sent', async () => {
    const first = await makeOrder()
    assert.equal(first.reference, 'PO-0001')
    await makeOrder({ reference: 'PO-0041' })
    assert.equal((await makeOrder()).reference, 'PO-0042')
  })

  it('gives concurrent orders without a reference different ones', async () => {
    const responses = await Promise.all(
      Array.from({ length: 16 }, async () => member.post('/api/order/po/', { supplier: await supplier() })),
    )
    for (const { status, text } of responses) assert.equal(status, 201, text)
    assert.equal(new Set(responses.map(({ body }) => body.reference)).size, 16)
  })

  it('handles a reference that is sent and generated at the same time', async () => {
    const next = Number((await makeOrder()).reference.slice(3)) + 1
    const company = await supplier()
    const explicitBodies = Array.from({ length: 8 }, (_, index) => ({
      reference: `PO-${String(next + index).padStart(4, '0')}`,
      supplier: company,
    }))
    const responses = await Promise.all(
      explicitBodies.flatMap((body) => [
        member.post('/api/order/po/', body),
        member.post('/api/order/po/', { supplier: company }),
      ]),
    )
    for (const [index, { status, text }] of responses.entries())
      assert.ok(status === 201 || (index % 2 === 0 && status === 400), `only a reference that was sent may be rejected: ${text}`)
  })

  it('returns a bare list, finds references regardless of case, and ignores an invalid value of a boolean filter', async () => {
    const order = await makeOrder()
    const { body } = await member.get(`/api/order/po/?reference=${order.reference.toLowerCase()}&overdue=perhaps`)
    assert.deepEqual(body, [order])
  })

  it('keeps omitted fields on PUT', async () => {
    const order = await makeOrder({ description: 'kept' })
    const { pk, reference, supplier } = order
    assert.deepEqual((await member.put(`/api/order/po/${pk}/`, { reference, supplier })).body, order)
    assert.deepEqual(Object.keys((await member.put(`/api/order/po/${pk}/`, {})).body).sort(), ['reference', 'supplier'])
  })

  it('returns a bare list of errors for a wrong status', async () => {
    const { pk } = await makeOrder()
    assert.equal((await member.post(`/api/order/po/${pk}/cancel/`)).status, 201)
    const repeated = await member.post(`/api/order/po/${pk}/cancel/`)
    assert.deepEqual([repeated.status, repeated.body], [400, ['Order cannot be cancelled']])
    const issue = await member.post(`/api/order/po/${pk}/issue/`)
    assert.ok(issue.status === 400 && Array.isArray(issue.body))
  })
})

describe('WIRE_FORM=inventree: an order that already has the status', () => {
  const act = (pk: number, action: string, body = {}) => member.post(`/api/order/po/${pk}/${action}/`, body)
  /** Reads the stored order; any write changes its xmin. */
  const readRow = (pk: number) => service.rows('select xmin, * from purchase_order where pk = $1', [pk])
  const moveDatesBack = (pk: number) =>
    service.rows('update purchase_order set issue_date = issue_date - 7, complete_date = complete_date - 5 where pk = $1', [pk])

  it('returns 201 for issuing a placed order, and changes nothing', async () => {
    const { pk } = await makeOrder()
    await act(pk, 'issue')
    await moveDatesBack(pk)
    const before = await readRow(pk)
    const responses = await Promise.all(Array.from({ length: 4 }, () => act(pk, 'issue')))
    for (const response of responses) assert.deepEqual([response.status, response.body], [201, {}])
    assert.deepEqual(await readRow(pk), before)
  })

  it('returns 201 for completing an order that its last line completed, and changes nothing', async () => {
    const order = await makeOrder()
    const part = await supplierPart(order.supplier)
    const line = (await member.post('/api/order/po-line/', { order: order.pk, part, quantity: 2, purchase_price: '3' })).body
    await act(order.pk, 'issue')
    await act(order.pk, 'receive', { items: [{ line_item: line.pk, quantity: 2 }], location: await location() })
    await moveDatesBack(order.pk)
    const before = await readRow(order.pk)
    assert.equal(before[0].status, 30)
    const response = await act(order.pk, 'complete')
    assert.deepEqual([response.status, response.body], [201, { accept_incomplete: false }])
    assert.deepEqual(await readRow(order.pk), before)
  })

  it('returns 201 for completing an order that was closed with missing goods', async () => {
    const { pk } = await makeOrder()
    await act(pk, 'issue')
    await act(pk, 'complete', { accept_incomplete: true })
    const before = await readRow(pk)
    assert.equal((await act(pk, 'complete')).status, 201)
    assert.deepEqual(await readRow(pk), before)
  })

  it('rejects any other wrong status', async () => {
    const { pk } = await makeOrder()
    const complete = () => act(pk, 'complete', { accept_incomplete: true })
    assert.equal((await complete()).status, 400, 'a pending order')
    await act(pk, 'issue')
    await complete()
    assert.equal((await act(pk, 'issue')).status, 400, 'a complete order')
    await service.rows('update purchase_order set status = 40 where pk = $1', [pk])
    for (const response of [await act(pk, 'issue'), await complete()]) assert.equal(response.status, 400, 'a cancelled order')
  })
})

describe('WIRE_FORM=inventree: lines', () => {
  it('defaults quantity to 1, rounds money and reads exponents, has no total without a price, and does not inherit the order’s date', async () => {
    const order = await makeOrder({ target_date: '2020-01-01' })
    const part = await supplierPart(order.supplier)
    const line = (await member.post('/api/order/po-line/', { order: order.pk, part, purchase_price: '1.23456789' })).body
    assert.deepEqual([line.quantity, line.purchase_price, line.overdue], [1, '1.234568', false])
    const extra = (await member.post('/api/order/po-extra-line/', { order: order.pk, price: '-5e1' })).body
    assert.deepEqual([extra.quantity, extra.price], [1, '-50.000000'])
    const unpriced = (await member.patch(`/api/order/po-line/${line.pk}/`, { purchase_price: null })).body
    assert.deepEqual([unpriced.total_price, line.total_price], [null, 1.234568])
  })

  it('rejects a line without a part, a quantity of zero, and negative amounts', async () => {
    const order = await makeOrder()
    const part = await supplierPart(order.supplier)
    const cases: [string, Record<string, unknown>, string][] = [
      ['po-line', {}, 'part'],
      ['po-line', { part: null }, 'part'],
      ['po-line', { part, quantity: 0 }, 'quantity'],
      ['po-line', { part, purchase_price: '-1' }, 'purchase_price'],
      ['po-extra-line', { quantity: -1 }, 'quantity'],
    ]
    for (const [kind, fields, field] of cases) {
      const response = await member.post(`/api/order/${kind}/`, { order: order.pk, ...fields })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(fields))
    }
    const put = await member.put(`/api/order/po-line/1/`, {})
    assert.deepEqual(Object.keys(put.body).sort(), ['order', 'quantity'])
  })
})

describe('WIRE_FORM=inventree: return orders', () => {
  it('rejects a negative price of a line, and accepts it for an extra line', async () => {
    const [customer] = await service.rows(
      `insert into company (name, currency, is_customer) values ('Customer ' || random(), 'USD', true) returning pk`,
    )
    const [part] = await service.rows(`insert into part (name, trackable) values ('Lock ' || random(), true) returning pk`)
    const [item] = await service.rows(
      `insert into stock_item (part, quantity, serial, customer, purchase_price_currency) values ($1, 1, '1', $2, 'USD') returning pk`,
      [part.pk, customer.pk],
    )
    const order = (await member.post('/api/order/ro/', { customer: customer.pk })).body.pk
    const createLine = (fields: object) => member.post('/api/order/ro-line/', { order, item: item.pk, ...fields })
    assert.deepEqual(Object.keys((await createLine({ price: -5 })).body), ['price'])
    const { pk } = (await createLine({ price: 5 })).body
    assert.deepEqual(Object.keys((await member.patch(`/api/order/ro-line/${pk}/`, { price: '-0.01' })).body), ['price'])
    assert.equal((await member.post('/api/order/ro-extra-line/', { order, price: -5 })).status, 201)
  })
})

describe('WIRE_FORM=inventree: sales orders', () => {
  const createPart = async () =>
    (await service.rows(`insert into part (name, salable) values ('Chair ' || random(), true) returning pk`))[0].pk as number
  const makeSale = async (fields: Record<string, unknown> = {}) => {
    const [customer] = await service.rows(
      `insert into company (name, currency, is_customer) values ('Customer ' || random(), 'USD', true) returning pk`,
    )
    const response = await member.post('/api/order/so/', { customer: customer.pk, ...fields })
    assert.equal(response.status, 201, response.text)
    return response.body
  }

  it('takes the next reference, and 1 as the default quantity of a line', async () => {
    assert.equal((await makeSale({ reference: 'SO-0041' })).reference, 'SO-0041')
    const { pk, reference } = await makeSale()
    assert.equal(reference, 'SO-0042')
    const line = await member.post('/api/order/so-line/', { order: pk, part: await createPart() })
    assert.deepEqual([line.status, line.body.quantity], [201, 1])
    for (const [fields, field] of [
      [{}, 'part'],
      [{ part: await createPart(), sale_price: '-1' }, 'sale_price'],
      [{ part: await createPart(), quantity: -1 }, 'quantity'],
    ] as [object, string][])
      assert.deepEqual(Object.keys((await member.post('/api/order/so-line/', { order: pk, ...fields })).body), [field])
  })

  it('allocates more than a line needs, but never more than is in stock', async () => {
    const part = await createPart()
    const { pk: order } = await makeSale()
    const line_item = (await member.post('/api/order/so-line/', { order, part, quantity: 2 })).body.pk
    const shipment = (await member.post('/api/order/so/shipment/', { order })).body.pk
    const [stock] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency) values ($1, 5, 'USD') returning pk`,
      [part],
    )
    const allocate = (quantity: number) =>
      member.post(`/api/order/so/${order}/allocate/`, { items: [{ line_item, stock_item: stock.pk, quantity }], shipment })
    assert.equal((await allocate(4)).status, 201)
    assert.deepEqual(Object.keys((await allocate(2)).body.items[0]), ['quantity'])
  })

  it('returns a bare list of errors for a wrong status, except on completion, and reports success for issuing an issued order', async () => {
    const { pk } = await makeSale()
    const act = (action: string, body: object = {}) => member.post(`/api/order/so/${pk}/${action}/`, body)
    assert.deepEqual([(await act('issue')).status, (await act('issue')).status], [201, 201])
    assert.equal((await act('cancel')).status, 201)
    for (const action of ['issue', 'cancel']) {
      const { status, body } = await act(action)
      assert.deepEqual([status, Array.isArray(body)], [400, true], action)
    }
    assert.deepEqual(Object.keys((await act('complete', { accept_incomplete: true })).body), ['non_field_errors'])
  })
})
