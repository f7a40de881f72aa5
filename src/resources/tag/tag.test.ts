import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { fillStock, parts } from '../stock/fixture.ts'
import { TAGGED } from './tag.resource.ts'

const service = await testService()
const { staff, member, nobody } = service
const TAGS = '/api/tag/'
before(() => fillStock(service))
beforeEach(() => service.rows(`update part set tags = '{}'; delete from tag`))

const tagPart = (pk: number, tags: string[]) => service.rows('update part set tags = $2 where pk = $1', [pk, tags])
const listNames = async (query = '') =>
  (await nobody.get(`${TAGS}?ordering=name${query}`)).body.results.map(({ name }: { name: string }) => name)
const readTags = async (pk: number) => (await service.rows('select tags from part where pk = $1', [pk]))[0].tags
const findTag = async (name: string) => (await service.rows('select pk from tag where name = $1', [name]))[0].pk as number
const readState = () => service.rows('select * from tag order by pk')

describe('GET /api/tag/', () => {
  it('lists the tags that objects have or had, once', async () => {
    const { body } = await member.patch(`/api/part/${parts.screw}/`, { tags: ['Long lead', 'red'] })
    assert.deepEqual(body.tags, ['Long lead', 'red'])
    await tagPart(parts.board, ['red', 'blue'])
    assert.deepEqual(await listNames(), ['Long lead', 'blue', 'red'])
    await tagPart(parts.board, [])
    assert.deepEqual(await listNames(), ['Long lead', 'blue', 'red'])
    const [shown] = (await nobody.get(`${TAGS}?search=long-lead`)).body.results
    assert.deepEqual(shown, { pk: shown.pk, name: 'Long lead', slug: 'long-lead' })
    assert.deepEqual((await nobody.get(`${TAGS}${shown.pk}/`)).body, shown)
  })

  it('filters by the type of object', async () => {
    await tagPart(parts.screw, ['part'])
    await service.rows(`update company set tags = '{company}'`)
    assert.deepEqual(await listNames('&model_type=part'), ['part'])
    assert.deepEqual(await listNames('&model_type=company'), ['company'])
    assert.deepEqual(Object.keys((await nobody.get(`${TAGS}?model_type=tag`)).body), ['model_type'])
    await service.rows(`update company set tags = '{}'`)
  })

  it('knows every table with tags, and each of them adds its tags', async () => {
    const columns = await service.rows(
      `select table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where column_name = 'tags' and t.table_type = 'BASE TABLE' and table_schema = 'public' order by table_name`,
    )
    const triggers = await service.rows(
      `select distinct event_object_table as table_name from information_schema.triggers where trigger_name = 'record_tags' order by 1`,
    )
    assert.deepEqual(triggers, columns)
    assert.equal(Object.keys(TAGGED).length, columns.length)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(TAGS), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('POST /api/tag/', () => {
  it('adds a tag that no object has', async () => {
    const { status, body } = await staff.post(TAGS, { name: 'Ready' })
    assert.deepEqual([status, body], [201, { pk: body.pk, name: 'Ready', slug: 'ready' }])
    await tagPart(parts.screw, ['Ready'])
    assert.deepEqual(await listNames(), ['Ready'])
  })

  it('rejects invalid and existing names', async () => {
    await staff.post(TAGS, { name: 'Ready' })
    const before = await readState()
    for (const name of [undefined, null, '', { x: 1 }, 'x'.repeat(101), 'Ready', '<b>']) {
      const response = await staff.post(TAGS, { name })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['name']], String(name))
    }
    assert.deepEqual(await readState(), before)
  })

  it('requires staff', () =>
    assertCallers(service, (client) => client.post(TAGS, { name: 'callers' }), ['staff', 'superuser'], readState))
})

describe('PUT, PATCH /api/tag/{id}/', () => {
  it('renames the tag of all objects', async () => {
    await tagPart(parts.screw, ['one', 'former', 'two'])
    await tagPart(parts.board, ['former'])
    const path = `${TAGS}${await findTag('former')}/`
    assert.equal((await staff.patch(path, { name: 'new' })).body.name, 'new')
    assert.deepEqual([await readTags(parts.screw), await readTags(parts.board)], [['one', 'new', 'two'], ['new']])
    assert.deepEqual(await listNames(), ['new', 'one', 'two'])
    assert.equal((await staff.put(path, { name: 'new' })).status, 200)
  })

  it('rejects the name of another tag, and another version', async () => {
    await tagPart(parts.screw, ['one', 'two'])
    const path = `${TAGS}${await findTag('one')}/`
    assert.deepEqual((await staff.patch(path, { name: 'two' })).body, { name: ['There is a tag with this name.'] })
    assert.equal((await staff.patch(path, { name: 'three' }, { 'if-match': '"0"' })).status, 412)
    assert.deepEqual(await readTags(parts.screw), ['one', 'two'])
  })

  for (const method of ['PUT', 'PATCH'])
    it(`${method} requires staff`, async () => {
      await tagPart(parts.screw, ['one'])
      const path = `${TAGS}${await findTag('one')}/`
      await assertCallers(service, (client) => client.send(method, path, { name: 'one' }), ['staff', 'superuser'], readState)
    })
})

describe('DELETE /api/tag/{id}/', () => {
  it('removes the tag from all objects', async () => {
    await tagPart(parts.screw, ['one', 'former', 'two'])
    assert.equal((await staff.delete(`${TAGS}${await findTag('former')}/`)).status, 204)
    assert.deepEqual(await readTags(parts.screw), ['one', 'two'])
    assert.deepEqual(await listNames(), ['one', 'two'])
  })

  it('requires staff', async () => {
    await tagPart(parts.screw, ['one'])
    const path = `${TAGS}${await findTag('one')}/`
    await assertCallers(service, (client) => client.delete(path), ['staff', 'superuser'], readState)
  })
})

describe('concurrent requests', () => {
  it('add each tag once', async () => {
    const names = ['a', 'b', 'c', 'd']
    const responses = await Promise.all(
      Object.values(parts).map((pk, index) => member.patch(`/api/part/${pk}/`, { tags: index % 2 ? names : names.toReversed() })),
    )
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    assert.deepEqual(await listNames(), names)
  })
})
