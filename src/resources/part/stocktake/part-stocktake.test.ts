import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member } = service
const PATH = '/api/part/stocktake/'
const today = new Date().toISOString().slice(0, 10)

let bolt: number
let nut: number
before(async () => {
  const parts = await service.rows(`insert into part (name) values ('Bolt'), ('Nut') returning pk`)
  ;[bolt, nut] = parts.map(({ pk }) => pk) as [number, number]
})
const createEntry = async (body: object, status = 201) => {
  const response = await member.post(PATH, body)
  assert.equal(response.status, status, response.text)
  return response.body
}

describe('POST /api/part/stocktake/', () => {
  it('creates an entry dated today, and updates the last stocktake of its part', async () => {
    const { pk, user_detail, ...rest } = await createEntry({
      part: bolt,
      quantity: '12.5',
      cost_min: '3.1',
      user: 99,
      date: '2020-01-01',
    })
    assert.equal(user_detail.username, 'member')
    assert.deepEqual(rest, {
      date: today,
      part: bolt,
      item_count: 1,
      quantity: 12.5,
      cost_min: '3.100000',
      cost_min_currency: 'USD',
      cost_max: null,
      cost_max_currency: 'USD',
      note: '',
      user: service.getPk('member'),
    })
    assert.equal((await member.get(`/api/part/${bolt}/`)).body.last_stocktake, today)
    assert.equal((await member.get(`/api/part/${nut}/`)).body.last_stocktake, null)
  })

  it('rejects invalid values', async () => {
    for (const [body, field] of [
      [{ quantity: 1 }, 'part'],
      [{ part: bolt }, 'quantity'],
      [{ part: 999, quantity: 1 }, 'part'],
      [{ part: bolt, quantity: -1 }, 'quantity'],
      [{ part: bolt, quantity: 1, item_count: 'many' }, 'item_count'],
      [{ part: bolt, quantity: 1, item_count: -1 }, 'item_count'],
      [{ part: bolt, quantity: 1, cost_min: -5 }, 'cost_min'],
      [{ part: bolt, quantity: 1, cost_min: 10, cost_max: 9 }, 'cost_max'],
      [{ part: bolt, quantity: 1, cost_max_currency: 'XXX' }, 'cost_max_currency'],
      [{ part: bolt, quantity: 1, note: 'x'.repeat(251) }, 'note'],
    ] as const)
      assert.deepEqual(Object.keys(await createEntry(body, 400)), [field], JSON.stringify(body))
  })

  it('requires the permissions of the stocktake role', async () => {
    await assertCallers(
      service,
      (client) => client.post(PATH, { part: nut, quantity: 1 }),
      ['member', 'superuser'],
      () => service.rows('select pk from part_stocktake'),
    )
    await assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser'])
  })
})

describe('GET /api/part/stocktake/', () => {
  it('filters and sorts, newest first', async () => {
    await service.rows('delete from part_stocktake')
    const one = (await createEntry({ part: nut, quantity: 5, item_count: 3 })).pk
    const two = (await createEntry({ part: bolt, quantity: 9 })).pk
    await service.rows('update part_stocktake set "user" = $1 where pk = $2', [service.getPk('viewer'), two])
    const listKeys = async (query: string) =>
      (await member.get(`${PATH}?${query}`)).body.results.map(({ pk }: { pk: number }) => pk)
    for (const [query, expected] of [
      ['', [two, one]],
      [`part=${bolt}`, [two]],
      [`user=${service.getPk('member')}`, [one]],
      ['ordering=quantity', [one, two]],
      ['ordering=-item_count', [one, two]],
      ['ordering=part', [two, one]],
      ['ordering=-part', [one, two]],
      ['ordering=pk', [one, two]],
    ] as const)
      assert.deepEqual(await listKeys(query), expected, query)
    assert.equal((await member.get(`${PATH}?part=99999`)).status, 400)
  })
})

describe('PATCH, PUT and DELETE /api/part/stocktake/{id}/', () => {
  it('change an entry, but not its user or date', async () => {
    const { pk } = await createEntry({ part: bolt, quantity: 1 })
    await service.rows(`update part_stocktake set "user" = null, date = '2024-02-03' where pk = $1`, [pk])
    assert.equal((await member.patch(`${PATH}${pk}/`, { note: 'Again' })).body.note, 'Again')
    const { body } = await member.put(`${PATH}${pk}/`, { part: nut, quantity: 2 })
    assert.deepEqual([body.part, body.quantity, body.note, body.user, body.date], [nut, 2, '', null, '2024-02-03'])
    await assertCallers(service, (client) => client.patch(`${PATH}${pk}/`, { note: 'x' }), ['member', 'superuser'])
    const write = async (values: object) => (await member.patch(`${PATH}${pk}/`, values)).status
    assert.deepEqual([await write({ cost_min: 10, cost_max: 9 }), await write({ cost_min: 9, cost_max: 10 })], [400, 200])
    // clients send one amount, then the other
    assert.deepEqual([await write({ cost_max: 5 }), await write({ cost_min: 4 })], [200, 200])
    // amounts in different currencies are not compared
    assert.equal(await write({ cost_min: 10, cost_max: 9, cost_max_currency: 'EUR' }), 200)
    assert.equal((await member.delete(`${PATH}${pk}/`)).status, 204)
    assert.equal((await member.get(`${PATH}${pk}/`)).status, 404)
  })
})
