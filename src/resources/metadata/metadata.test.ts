import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { resources } from '../index.ts'

const service = await testService()
const { member, viewer, nobody, superuser } = service
const METADATA = '/api/metadata/'

const [{ pk: part }] = await service.rows(`insert into part (name) values ('Lamp') returning pk`)
const readStored = async () => (await service.rows('select metadata from part where pk = $1', [part]))[0].metadata

for (const lookup of [String(part), 'name/Lamp']) {
  const url = `${METADATA}part/${lookup}/`
  describe(`GET /api/metadata/part/${lookup === 'name/Lamp' ? '{lookup_field}/{lookup_value}' : '{id}'}/`, () => {
    it('returns the metadata that the path of the object has', async () => {
      await member.put(`/api/part/${part}/metadata/`, { metadata: { color: 'red' } })
      assert.deepEqual((await viewer.get(url)).body, { metadata: { color: 'red' } })
    })

    it('requires the permission to view the object', () =>
      assertCallers(service, (client) => client.get(url), ['viewer', 'member', 'superuser']))
  })

  describe(`PUT, PATCH of ${url}`, () => {
    it('replaces and merges', async () => {
      assert.deepEqual((await member.put(url, { metadata: { a: 1 } })).body, { metadata: { a: 1 } })
      assert.deepEqual((await member.patch(url, { metadata: { b: 2 } })).body, { metadata: { a: 1, b: 2 } })
      assert.deepEqual((await member.patch(url, {})).body, { metadata: { a: 1, b: 2 } })
      assert.deepEqual((await viewer.get(`/api/part/${part}/metadata/`)).body, { metadata: { a: 1, b: 2 } })
    })

    it('rejects a body without metadata, and another version', async () => {
      const before = await readStored()
      assert.deepEqual(Object.keys((await member.put(url, {})).body), ['metadata'])
      assert.equal((await member.patch(url, { metadata: 1 }, { 'if-match': '"0"' })).status, 412)
      assert.deepEqual(await readStored(), before)
    })

    for (const method of ['PUT', 'PATCH'])
      it(`${method} requires the permission to change the object`, () =>
        assertCallers(service, (client) => client.send(method, url, { metadata: {} }), ['member', 'superuser']))
  })
}

describe('/api/metadata/{model}/{id}/', () => {
  it('exists for every type of object with metadata', async () => {
    const models = new Set(resources.filter(({ table }) => 'metadata' in table).map(({ model }) => model))
    for (const model of models) {
      const { status } = await superuser.get(`${METADATA}${model}/2147483647/`)
      assert.equal(status, 404, model)
    }
  })

  it('rejects types without metadata, and unknown objects', async () => {
    for (const model of ['nothing', 'user', '__proto__']) {
      const { status, body } = await superuser.get(`${METADATA}${model}/1/`)
      assert.deepEqual([status, body], [400, [`"${model}" is not a valid choice.`]])
    }
    assert.equal((await superuser.get(`${METADATA}part/999999/`)).status, 404)
    assert.equal((await superuser.patch(`${METADATA}part/999999/`, { metadata: 1 })).status, 404)
    assert.equal((await superuser.get(`${METADATA}part/x/`)).status, 404)
  })

  it('hides the objects of types that the caller may not view', async () => {
    const { body } = await member.post('/api/attachment/', { model_type: 'part', model_id: part, link: 'https://example.org/' })
    assert.equal((await viewer.get(`${METADATA}attachment/${body.pk}/`)).status, 200)
    assert.equal((await nobody.get(`${METADATA}attachment/${body.pk}/`)).status, 403)
  })
})

describe('/api/metadata/{model}/{lookup_field}/{lookup_value}/', () => {
  it('finds a plugin by its key', async () => {
    assert.deepEqual((await superuser.get(`${METADATA}pluginconfig/key/inventreelabel/`)).status, 200)
    assert.deepEqual((await superuser.get(`${METADATA}pluginconfig/key/none/`)).status, 404)
  })

  it('rejects other fields than texts, and a value of several objects', async () => {
    for (const field of ['pk', 'nothing', 'active', 'constructor']) {
      const { status, body } = await member.get(`${METADATA}part/${field}/1/`)
      assert.deepEqual([status, Object.keys(body)], [400, ['lookup_field']], field)
    }
    await service.rows(`insert into part (name, "IPN") values ('Twin', 'one'), ('Twin', 'two')`)
    assert.deepEqual((await member.get(`${METADATA}part/name/Twin/`)).body, { lookup_value: ['Several objects match.'] })
  })
})
