import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member } = service

for (const [path, table] of [
  ['/api/part/internal-price/', 'part_internal_price'],
  ['/api/part/sale-price/', 'part_sale_price'],
] as const) {
  let part: number
  before(async () => {
    const [partRow] = await service.rows('insert into part (name, salable) values ($1, true) returning pk', [table])
    part = partRow.pk
  })
  const readRows = () => service.rows(`select * from ${table} order by pk`)

  describe(`POST ${path}`, () => {
    it('creates a price in the default currency, unless the body names another', async () => {
      const { status, body } = await member.post(path, { part, quantity: 10, price: '1.5' })
      assert.equal(status, 201)
      const { pk, ...rest } = body
      assert.deepEqual(rest, { part, quantity: 10, price: '1.500000', price_currency: 'USD' })
      assert.deepEqual((await service.viewer.get(`${path}${pk}/`)).body, body)
      assert.equal((await member.post(path, { part, price: 0, price_currency: 'NZD' })).body.quantity, 1)
    })

    it('rejects invalid values, naming the field', async () => {
      const before = await readRows()
      for (const [wrong, field] of [
        [{ part: undefined }, 'part'],
        [{ part: 99_999 }, 'part'],
        [{ quantity: 0.5 }, 'quantity'],
        [{ quantity: null }, 'quantity'],
        [{ quantity: 10 }, 'non_field_errors'],
        [{ price: undefined }, 'price'],
        [{ price: null }, 'price'],
        [{ price: -1 }, 'price'],
        [{ price_currency: 'XXX' }, 'price_currency'],
      ] as const) {
        const response = await member.post(path, { part, quantity: 7, price: '1', ...wrong })
        assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(wrong))
      }
      assert.deepEqual(await readRows(), before)
    })

    it('stores one price per quantity for concurrent requests', async () => {
      const responses = await Promise.all(Array.from({ length: 4 }, () => member.post(path, { part, quantity: 77, price: '1' })))
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400])
    })

    it('requires the permission to add parts', () =>
      assertCallers(
        service,
        (client) => client.post(path, { part, quantity: 99, price: '1' }),
        ['member', 'superuser'],
        readRows,
      ))
  })

  describe(`GET ${path}`, () => {
    it('filters the prices of a part, sorted by quantity', async () => {
      const listQuantities = async (query: string) =>
        (await member.get(`${path}?${query}`)).body.results.map(({ quantity }: { quantity: number }) => quantity)
      assert.deepEqual((await listQuantities(`part=${part}`)).slice(0, 3), [1, 10, 77])
      assert.equal((await listQuantities('ordering=-price'))[0], 10)
      assert.equal((await member.get(`${path}?part=99999`)).status, 400)
    })
  })

  describe(`PATCH, DELETE ${path}{id}/`, () => {
    it('changes and deletes a price', async () => {
      const { pk } = (await member.post(path, { part, quantity: 500, price: '2' })).body
      assert.equal((await member.patch(`${path}${pk}/`, { price: '3.5' })).body.price, '3.500000')
      assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { price: null })).body), ['price'])
      assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { quantity: 10 })).body), ['non_field_errors'])
      assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    })
  })
}

it('sale prices require a salable part', async () => {
  const [{ pk }] = await service.rows(`insert into part (name, salable) values ('Kept', false) returning pk`)
  const { status, body } = await member.post('/api/part/sale-price/', { part: pk, price: '1' })
  assert.deepEqual([status, Object.keys(body)], [400, ['part']])
  assert.equal((await member.post('/api/part/internal-price/', { part: pk, price: '1' })).status, 201)
})
