import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { assertCallers, testService } from '../../testing/service.ts'

const { dataDir, write } = createPluginFolder()
// a lamp shows its object in the settings of the account that requested it
const hookSource = (subject: string) =>
  `async ${subject}(pk, { send }) { await send('PATCH', '/api/user/me/', { first_name: '${subject} ' + pk }) },`
write('lamps', `locate: { ${hookSource('item')} ${hookSource('location')} },`)
write('shelves', `locate: { ${hookSource('location')} },`)
write('broken', `locate: { item() { throw new Error('no lamp') } },`)
write('none', `actions: { x: () => ({ result: 1 }) },`)
const service = await testService({ DATA_DIR: dataDir })
for (const plugin of ['lamps', 'shelves', 'broken', 'none'])
  assert.equal((await service.superuser.patch('/api/plugins/activate/', { plugin })).status, 200)

const path = '/api/locate/'
const { superuser } = service
const create = async (url: string, body: object): Promise<number> => {
  const response = await superuser.post(url, body)
  assert.equal(response.status, 201, response.text)
  return response.body.pk ?? response.body[0].pk
}
const location = await create('/api/stock/location/', { name: 'Shelf' })
const category = await create('/api/part/category/', { name: 'Screws' })
const part = await create('/api/part/', { name: 'Screw', description: 'A screw', category })
const item = await create('/api/stock/', { part, quantity: 1, location })
const unplacedItem = await create('/api/stock/', { part, quantity: 1 })
const missing = 99_999_999
const success = 'Identification plugin activated'
const readResult = async () => (await superuser.get('/api/user/me/')).body.first_name
const resetResult = () => superuser.patch('/api/user/me/', { first_name: '' })

describe('POST /api/locate/', () => {
  it('has a plugin show an item or a location; with both, the item', async () => {
    const itemResponse = await superuser.post(path, { plugin: 'lamps', item, location })
    assert.deepEqual([itemResponse.status, itemResponse.body], [200, { success, plugin: 'lamps', item }])
    assert.equal(await readResult(), `item ${item}`)
    const locationResponse = await superuser.post(path, { plugin: 'lamps', item: null, location: String(location) })
    assert.deepEqual([locationResponse.status, locationResponse.body], [200, { success, plugin: 'lamps', location }])
    assert.equal(await readResult(), `location ${location}`)
  })

  it('calls a location plugin with the location of an item in stock', async () => {
    await resetResult()
    assert.equal((await superuser.post(path, { plugin: 'shelves', item: unplacedItem })).status, 200)
    assert.equal(await readResult(), '')
    assert.deepEqual((await superuser.post(path, { plugin: 'shelves', item })).body, { success, plugin: 'shelves', item })
    assert.equal(await readResult(), `location ${location}`)
  })

  it('rejects with the messages that clients of InvenTree expect', async () => {
    for (const [body, status, detail] of [
      [{}, 400, "'plugin' field must be supplied"],
      [{ plugin: null, item: null, location: null }, 400, "'plugin' field must be supplied"],
      [{ plugin: 'none', item }, 400, "Plugin 'none' is not installed, or does not support the location mixin"],
      [{ plugin: 'unknown', item }, 400, "Plugin 'unknown' is not installed, or does not support the location mixin"],
      [{ plugin: 'lamps' }, 400, "Must supply either 'item' or 'location' parameter"],
      [{ plugin: 'lamps', item: missing }, 404, `StockItem matching PK '${missing}' not found`],
      [{ plugin: 'lamps', item: 'x' }, 404, "StockItem matching PK 'x' not found"],
      [{ plugin: 'lamps', location: 1e30 }, 404, "StockLocation matching PK '1e+30' not found"],
    ] as const) {
      const response = await superuser.post(path, body)
      assert.deepEqual([response.status, response.body], [status, { detail }], JSON.stringify(body))
    }
    assert.equal((await superuser.post(path, [])).status, 400)
    assert.equal((await superuser.post(path, { plugin: 'broken', item })).status, 503)
  })

  it('requires an account with the permission to view the object', async () => {
    await assertCallers(service, (client) => client.post(path, {}), ['nobody', 'viewer', 'member', 'staff', 'superuser'])
    for (const body of [{ item }, { location }, { item: missing }])
      await assertCallers(service, (client) => client.post(path, { plugin: 'lamps', ...body }), ['viewer', 'member', 'superuser'])
  })
})
