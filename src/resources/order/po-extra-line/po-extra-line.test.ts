import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { supplier } = createPurchaseHelpers(service)
const { member } = service

const PATH = '/api/order/po-extra-line/'
let number = 0
const makeOrder = async (): Promise<number> =>
  (await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: await supplier() })).body.pk
const post = async (fields: Record<string, unknown>) => {
  const response = await member.post(PATH, { quantity: 1, ...fields })
  assert.equal(response.status, 201, response.text)
  return response.body
}
const readTotal = async (order: number) => (await member.get(`/api/order/po/${order}/`)).body.total_price
const countLines = async () => (await service.viewer.get(PATH)).body.count

describe('POST /api/order/po-extra-line/', () => {
  it('creates an extra line, also with a negative price, and counts it only in the order’s total', async () => {
    const order = await makeOrder()
    const line = await post({ order, quantity: -2, price: '1.5', reference: 'Discount', context: { a: [1, null] } })
    assert.deepEqual(line, {
      pk: line.pk,
      description: '',
      quantity: -2,
      reference: 'Discount',
      notes: '',
      context: { a: [1, null] },
      order,
      price: '1.500000',
      price_currency: 'USD',
      link: '',
    })
    assert.deepEqual((await service.viewer.get(`${PATH}${line.pk}/`)).body, line)
    const { line_items, total_price } = (await member.get(`/api/order/po/${order}/`)).body
    assert.deepEqual([line_items, total_price], [0, '-3.000000'])
  })

  it('rejects invalid values, naming the field, and stores nothing', async () => {
    const order = await makeOrder()
    const cases: [Record<string, unknown>, string][] = [
      [{ quantity: undefined }, 'quantity'],
      [{ quantity: 'abc' }, 'quantity'],
      [{ order: undefined }, 'order'],
      [{ order: 99_999 }, 'order'],
      [{ price: '1e400' }, 'price'],
      [{ price: '0.1234567' }, 'price'],
      [{ price_currency: 'no-such-choice' }, 'price_currency'],
      [{ price_currency: 99_999 }, 'price_currency'],
      [{ description: 'x'.repeat(251) }, 'description'],
      [{ reference: '<i>x</i>' }, 'reference'],
      [{ link: 'not a url' }, 'link'],
      [{ notes: { x: 1 } }, 'notes'],
    ]
    const before = await countLines()
    for (const [fields, field] of cases) {
      const response = await member.post(PATH, { order, quantity: 1, ...fields })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(fields))
    }
    assert.equal(await countLines(), before)
  })

  it('requires the permission to add purchase orders', async () => {
    const order = await makeOrder()
    await assertCallers(service, (client) => client.post(PATH, { order, quantity: 1 }), ['member', 'superuser'], countLines)
  })
})

describe('GET /api/order/po-extra-line/', () => {
  it('filters by order, searches, sorts, and includes the order on request', async () => {
    const order = await makeOrder()
    const freight = await post({ order, quantity: 3, reference: 'Freight', description: 'by sea' })
    const discount = await post({ order, quantity: 1, reference: 'Discount', notes: 'summer' })
    const listKeys = async (query: string) =>
      (await service.viewer.get(`${PATH}?order=${order}&${query}`)).body.results.map((line: { pk: number }) => line.pk)
    assert.deepEqual(await listKeys(''), [freight.pk, discount.pk])
    assert.deepEqual(await listKeys('search=SEA'), [freight.pk])
    assert.deepEqual(await listKeys('search=disc'), [discount.pk])
    assert.deepEqual(await listKeys('search=zzzznone'), [])
    assert.deepEqual(await listKeys('ordering=quantity'), [discount.pk, freight.pk])
    assert.deepEqual(await listKeys('ordering=-note'), [discount.pk, freight.pk])
    assert.equal((await service.viewer.get(`${PATH}?order=abc`)).status, 400)
    assert.equal((await service.viewer.get(`${PATH}${freight.pk}/?order_detail=true`)).body.order_detail.pk, order)
  })

  it('requires the permission to view purchase orders', () =>
    assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser']))
})

describe('PUT, PATCH and DELETE /api/order/po-extra-line/{id}/', () => {
  it('change the line and the order’s total', async () => {
    const order = await makeOrder()
    const line = await post({ order, quantity: 2, price: '5', notes: 'n' })
    const url = `${PATH}${line.pk}/`
    assert.deepEqual((await member.patch(url, { price: '3.5' })).body, { ...line, price: '3.500000' })
    assert.equal(await readTotal(order), '7.000000')
    assert.equal((await member.patch(url, { price: '' })).body.price, null)
    assert.equal(await readTotal(order), '0.000000')
    assert.equal((await member.patch(url, { price: '1', order: await makeOrder() })).status, 200)
    assert.deepEqual((await member.put(url, { order, quantity: 1, price: '4' })).body, {
      ...line,
      quantity: 1,
      price: '4.000000',
      notes: '',
    })
    assert.equal(await readTotal(order), '4.000000')
    assert.deepEqual(Object.keys((await member.put(url, {})).body).sort(), ['order', 'quantity'])
    assert.equal((await member.delete(url)).status, 204)
    assert.equal((await member.get(url)).status, 404)
    assert.equal(await readTotal(order), '0.000000')
    const others = [await post({ order, quantity: 1, price: '2' }), await post({ order, quantity: 1, price: '3' })]
    assert.equal(await readTotal(order), '5.000000')
    assert.equal((await member.delete(PATH, { items: others.map(({ pk }) => pk) })).status, 204)
    assert.equal(await readTotal(order), '0.000000')
  })

  it('require the matching right', async () => {
    const order = await makeOrder()
    const url = `${PATH}${(await post({ order })).pk}/`
    await assertCallers(service, (client) => client.patch(url, { notes: 'x' }), ['member', 'superuser'])
    await assertCallers(service, (client) => client.patch(`${url}metadata/`, { metadata: {} }), ['member', 'superuser'])
    await assertCallers(service, (client) => client.delete(url), ['member', 'superuser'], countLines)
  })
})
