import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member } = service
const path = '/api/part/related/'

let clip: number
let cell: number
let knob: number
before(async () => {
  const parts = await service.rows(`insert into part (name) values ('Clip'), ('Cell'), ('Knob') returning pk`)
  ;[clip, cell, knob] = parts.map(({ pk }) => pk) as [number, number, number]
})
const readRows = () => service.rows('select part_1, part_2 from part_related order by pk')

describe('POST /api/part/related/', () => {
  it('relates two parts, and returns them', async () => {
    const { status, body } = await member.post(path, { part_1: clip, part_2: cell })
    assert.equal(status, 201)
    assert.deepEqual([body.part_1, body.part_1_detail.name, body.part_2, body.part_2_detail.name], [clip, 'Clip', cell, 'Cell'])
    const { starred, in_stock, parameters } = body.part_1_detail
    assert.deepEqual([starred, in_stock, parameters], [false, 0, undefined])
  })

  it('rejects a part related to itself, and an existing relation in either order', async () => {
    for (const [part_1, part_2, field] of [
      [clip, clip, 'non_field_errors'],
      [clip, cell, 'non_field_errors'],
      [cell, clip, 'non_field_errors'],
      [clip, 99_999, 'part_2'],
      [null, clip, 'part_1'],
    ] as const) {
      const { status, body } = await member.post(path, { part_1, part_2 })
      assert.deepEqual([status, Object.keys(body)], [400, [field]])
    }
  })

  it('requires the permission to add parts', () =>
    assertCallers(service, (client) => client.post(path, { part_1: knob, part_2: cell }), ['member', 'superuser'], readRows))
})

describe('GET /api/part/related/', () => {
  it('filters the relations of a part, on either side', async () => {
    const readCount = async (query: string) => (await member.get(`${path}?${query}`)).body.count
    assert.equal(await readCount(`part=${cell}`), (await readRows()).length)
    assert.equal(await readCount(`part=${clip}`), 1)
    assert.equal(await readCount('part=99999'), (await readRows()).length)
  })
})

describe('GET /api/part/?related=', () => {
  it('filters related parts, or excludes them', async () => {
    const listNames = async (query: string) =>
      (await member.get(`/api/part/?${query}`)).body.results.map(({ name }: { name: string }) => name)
    assert.deepEqual(await listNames(`related=${clip}`), ['Cell'])
    assert.deepEqual(await listNames(`related=${cell}&search=Clip`), ['Clip'])
    assert.deepEqual(await listNames(`exclude_related=${clip}`), ['Clip', 'Knob'])
    await service.rows('delete from part_related')
    assert.deepEqual(await listNames(`related=${clip}`), [])
  })
})
