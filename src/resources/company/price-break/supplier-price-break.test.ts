import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, type TestService, testService } from '../../../testing/service.ts'

const service = await testService()
const inventree = await testService({ WIRE_FORM: 'inventree' })
const { member } = service
const path = '/api/company/price-break/'

const createSupplierPart = async (target: TestService) => {
  const [part] = await target.rows(`insert into part (name) values ('Screw') returning pk`)
  const supplier = (await target.member.post('/api/company/', { name: 'Supplies' })).body.pk
  const { pk } = (await target.member.post('/api/company/part/', { part: part.pk, supplier, SKU: 'S-1' })).body
  return { base: part.pk as number, supplier: supplier as number, part: pk as number }
}

let base: number
let supplier: number
let part: number
before(async () => {
  ;({ base, supplier, part } = await createSupplierPart(service))
})

const readPriceBreaks = async () => (await service.superuser.get(path)).body.results
const create = async (body: object) => (await member.post(path, { part, ...body })).body

describe('POST /api/company/price-break/', () => {
  it('creates a price break in the default currency unless the body names another', async () => {
    const created = await member.post(path, { part, quantity: 10, price: '1.5' })
    assert.equal(created.status, 201)
    const { pk, updated, ...rest } = created.body
    assert.deepEqual(rest, { part, quantity: 10, price: '1.500000', price_currency: 'USD', supplier })
    assert.ok(Date.now() - Date.parse(updated) < 60_000)
    assert.deepEqual((await service.viewer.get(`${path}${pk}/`)).body, created.body)
    assert.equal((await create({ quantity: 2.5, price: 0, price_currency: 'NZD' })).price_currency, 'NZD')
    assert.deepEqual((await create({ price: 3 })).quantity, 1)
  })

  it('rejects invalid input, naming the field', async () => {
    await create({ quantity: 50, price: '1' })
    const before = await readPriceBreaks()
    for (const [wrong, field] of [
      [{ part: undefined }, 'part'],
      [{ part: 99_999 }, 'part'],
      [{ quantity: 0.5 }, 'quantity'],
      [{ quantity: null }, 'quantity'],
      [{ quantity: 'abc' }, 'quantity'],
      [{ quantity: 50 }, 'non_field_errors'],
      [{ quantity: '50.000001' }, 'non_field_errors'],
      [{ price: undefined }, 'price'],
      [{ price: null }, 'price'],
      [{ price: -1 }, 'price'],
      [{ price: '1e400' }, 'price'],
      [{ price: '1.0000001' }, 'price'],
      [{ price_currency: 'XXX' }, 'price_currency'],
      [{ price_currency: 99_999 }, 'price_currency'],
      [{ price_currency: '' }, 'price_currency'],
    ] as const) {
      const response = await member.post(path, { part, quantity: 7, price: '1', ...wrong })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(wrong))
    }
    assert.deepEqual(await readPriceBreaks(), before)
  })

  it('creates one break per quantity under concurrent requests', async () => {
    const created = await Promise.all(Array.from({ length: 6 }, () => member.post(path, { part, quantity: 77, price: '1' })))
    assert.deepEqual(created.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400])
  })

  it('rounds money with too many decimals for clients of InvenTree (WIRE_FORM)', async () => {
    const { part } = await createSupplierPart(inventree)
    const created = await inventree.member.post(path, { part, quantity: 1, price: '1.23456789' })
    assert.deepEqual([created.status, created.body.price], [201, '1.234568'])
  })

  it('requires a role that may add purchase orders', () =>
    assertCallers(
      service,
      (client) => client.post(path, { part, quantity: 99, price: '1' }),
      ['member', 'superuser'],
      readPriceBreaks,
    ))
})

describe('GET /api/company/price-break/', () => {
  it('filters, searches and orders', async () => {
    const findQuantities = async (query: string) => {
      const { body } = await member.get(`${path}?${query}`)
      return body.results.map((entry: { quantity: number }) => entry.quantity)
    }
    const all = await findQuantities('')
    assert.deepEqual(
      all,
      all.toSorted((one: number, other: number) => one - other),
    )
    for (const query of [`part=${part}`, `base_part=${base}`, `supplier=${supplier}`, 'search=supplies+s-1'])
      assert.deepEqual(await findQuantities(query), all, query)
    assert.deepEqual(await findQuantities('quantity=50'), [50])
    assert.deepEqual(await findQuantities('ordering=-quantity'), all.toReversed())
    for (const ordering of ['supplier', 'SKU', 'price'])
      assert.equal((await findQuantities(`ordering=${ordering}`)).length, all.length)
    for (const query of ['part=99999', 'base_part=abc', 'supplier=99999', 'quantity=abc'])
      assert.equal((await member.get(`${path}?${query}`)).status, 400)
  })

  it('shows details on request', async () => {
    const [row] = (await member.get(`${path}?part_detail=true&supplier_detail=true`)).body.results
    assert.deepEqual([row.part_detail.SKU, row.supplier_detail.name], ['S-1', 'Supplies'])
    const [plain] = await readPriceBreaks()
    assert.deepEqual([plain.part_detail, plain.supplier_detail], [undefined, undefined])
  })

  it('requires a role that may see purchase orders', () =>
    assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser']))
})

describe('PUT, PATCH, DELETE /api/company/price-break/{id}/', () => {
  it('changes and deletes, and records the time of each change', async () => {
    const { pk } = await create({ quantity: 1000, price: '1', price_currency: 'EUR' })
    await service.rows(`update supplier_price_break set updated = null where pk = $1`, [pk])
    const changed = (await member.patch(`${path}${pk}/`, { price: '0.000001' })).body
    assert.deepEqual([changed.price, changed.price_currency], ['0.000001', 'EUR'])
    assert.deepEqual((await member.patch(`${path}${pk}/`, { price: null })).status, 400)
    assert.ok(changed.updated)
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { quantity: 50 })).body), ['non_field_errors'])
    const replacement = (await member.put(`${path}${pk}/`, { part, quantity: 1001, price: '2' })).body
    assert.deepEqual([replacement.quantity, replacement.price_currency], [1001, 'USD'])
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.equal((await member.get(`${path}${pk}/`)).status, 404)
  })

  it('require roles that may change or delete purchase orders', async () => {
    const { pk } = await create({ quantity: 2000, price: '1' })
    await assertCallers(
      service,
      (client) => client.patch(`${path}${pk}/`, { price: '2' }),
      ['member', 'superuser'],
      readPriceBreaks,
    )
    await assertCallers(service, (client) => client.delete(`${path}${pk}/`), ['member', 'superuser'], readPriceBreaks)
  })
})
