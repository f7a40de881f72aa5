import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'
import { fillStock, insertItem } from '../fixture.ts'

const service = await testService()
const { member } = service
const PATH = '/api/stock/track/'
beforeEach(() => fillStock(service))

const record = async (item: number, deltas: unknown) =>
  (
    await service.rows(`insert into stock_tracking (item, tracking_type, deltas, "user") values ($1, 20, $2, $3) returning pk`, [
      item,
      JSON.stringify(deltas),
      service.getPk('viewer'),
    ])
  )[0].pk

describe('GET /api/stock/track/', () => {
  test('sorts the latest first, each with the objects that it refers to', async () => {
    const item = await insertItem(service)
    const other = await insertItem(service)
    await member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 4 }], location: 4, notes: 'half' })
    await record(item, { location: 4, stockitem: other, customer: 2, part: 2, purchaseorder: 99, quantity: 1.5 })
    const { body } = await member.get(`${PATH}?item=${item}`)
    assert.equal(body.count, 2)
    const [last, split] = body.results
    assert.deepEqual(
      [last.label, last.user, last.item_detail, last.user_detail],
      ['Location changed', service.getPk('viewer'), undefined, undefined],
    )
    const { location_detail, stockitem_detail, customer_detail, part_detail, ...plain } = last.deltas
    assert.deepEqual(
      [location_detail.pathstring, stockitem_detail.pk, customer_detail.name, part_detail.name],
      ['Garage', other, 'Buyer', 'Board'],
    )
    assert.deepEqual(plain, { location: 4, stockitem: other, customer: 2, part: 2, purchaseorder: 99, quantity: 1.5 })
    assert.deepEqual([split.label, split.notes, split.deltas.removed], ['Split child item', 'half', 4])
  })

  test('shows any deltas that an import left behind', async () => {
    const item = await insertItem(service)
    for (const deltas of [{}, { location: 'gone' }, { part: 1e20 }, { stockitem: -1 }, [], 'text', null, { location: null }])
      await record(item, deltas)
    const { status, body } = await member.get(PATH)
    assert.deepEqual([status, body.count], [200, 8])
  })

  test('filters, searches and applies flags', async () => {
    const item = await insertItem(service)
    await record(item, {})
    await member.post('/api/stock/add/', { items: [{ pk: item, quantity: 1 }], notes: 'found some' })
    const count = async (query: string) => (await member.get(`${PATH}?${query}`)).body.count
    assert.deepEqual(
      [await count(`user=${service.getPk('viewer')}`), await count('search=found'), await count('search=zzz')],
      [1, 1, 0],
    )
    for (const query of ['item=abc', 'item=999', 'user=abc', 'user=99999'])
      assert.equal((await member.get(`${PATH}?${query}`)).status, 400)
    const { body } = await member.get(`${PATH}?item_detail=true&user_detail=true&search=found`)
    assert.deepEqual([body.results[0].item_detail.pk, body.results[0].user_detail.username], [item, 'member'])
    await assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser'])
  })

  test('is read-only', async () => {
    const entry = await record(await insertItem(service), {})
    assert.equal((await member.get(`${PATH}${entry}/`)).status, 200)
    for (const method of ['PUT', 'PATCH', 'DELETE']) assert.equal((await member.send(method, `${PATH}${entry}/`, {})).status, 405)
    assert.equal((await member.post(PATH, {})).status, 405)
  })
})
