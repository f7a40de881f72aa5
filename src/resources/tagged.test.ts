import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startDemoWorkshop } from '../testing/objects/demo-workshop.ts'
import { resources } from './index.ts'
import { OWNER, PASSWORD } from './web/demo/demo-accounts.ts'

const { app } = await startDemoWorkshop()
const authorization = `Basic ${btoa(`${OWNER}:${PASSWORD}`)}`
const send = async (method: 'GET' | 'PATCH', url: string, payload?: object) => {
  const response = await app.inject({ method, url, headers: { authorization }, payload })
  return { status: response.statusCode, body: response.json(), text: response.body }
}

const tagged = resources.filter(({ fields }) => 'tags' in fields)

describe('tags', () => {
  it('belong to these objects', () =>
    assert.deepEqual(tagged.map(({ path }) => path).toSorted(), [
      '/api/attachment/',
      '/api/build/',
      '/api/company/',
      '/api/company/part/',
      '/api/company/part/manufacturer/',
      '/api/order/po/',
      '/api/order/ro/',
      '/api/order/so/',
      '/api/order/so/shipment/',
      '/api/order/transfer-order/',
      '/api/part/',
      '/api/stock/',
      '/api/stock/location/',
    ]))

  for (const { path, example, search, searchMinApiVersion, filters = {} } of tagged)
    it(`${path}: are written, and found by name, slug and search`, async () => {
      const pk = example?.pk
      const url = `${path}${pk}/?tags=true`
      const changed = await send('PATCH', url, { tags: ['Long lead', 'rare'] })
      assert.deepEqual([changed.status, changed.body.tags], [200, ['Long lead', 'rare']], changed.text)
      const read = await send('GET', url)
      assert.deepEqual(read.body.tags, ['Long lead', 'rare'])
      const find = async (query: string) =>
        (await send('GET', `${path}?${query}&limit=50`)).body.results.map((row: any) => row.pk)
      // parts are found by a search alone
      assert.equal('tags__name' in filters, path !== '/api/part/')
      if ('tags__name' in filters) {
        assert.deepEqual(await find('tags__name=Long lead'), [pk])
        assert.deepEqual(await find('tags__name=long lead'), [])
        assert.deepEqual(await find('tags__slug=long-lead'), [pk])
      }
      if (search && !searchMinApiVersion) assert.deepEqual(await find('search=long-lead'), [pk])
      for (const tags of [null, 'rare', [''], [{ name: 'rare' }]]) {
        const rejected = await send('PATCH', url, { tags })
        assert.deepEqual([rejected.status, Object.keys(rejected.body)], [400, ['tags']], JSON.stringify(tags))
      }
      assert.deepEqual((await send('GET', url)).body, read.body)
      assert.deepEqual((await send('PATCH', url, { tags: [] })).body.tags, [])
    })
})
