import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { superuser, staff, nobody, member } = service
const ACCOUNTS = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const
const PLUGIN = 'inventreelabelsheet'
const [{ pk }] = await service.rows('select pk from plugin_config where key = $1', [PLUGIN])

describe('/api/plugins/{id}/', () => {
  it('takes the key of a plugin, too', async () => {
    const { body } = await nobody.get(`/api/plugins/${pk}/`)
    assert.deepEqual((await nobody.get(`/api/plugins/${PLUGIN}/`)).body, body)
    assert.deepEqual(
      (await staff.get(`/api/plugins/${PLUGIN}/settings/`)).body,
      (await staff.get(`/api/plugins/${pk}/settings/`)).body,
    )
    assert.equal((await superuser.patch(`/api/plugins/${PLUGIN}/activate/`, { active: true })).status, 200)
    assert.equal((await superuser.delete(`/api/plugins/${PLUGIN}/`)).status, 400)
    for (const key of ['none', '0x1', '1e3', "' or 1=1", '99999999999'])
      assert.equal((await nobody.get(`/api/plugins/${encodeURIComponent(key)}/`)).status, 404, key)
  })

  it('asks for the same rights by key', async () => {
    await assertCallers(service, (client) => client.get(`/api/plugins/${PLUGIN}/`), ACCOUNTS)
    await assertCallers(service, (client) => client.patch(`/api/plugins/${PLUGIN}/activate/`, { active: true }), ['superuser'])
    await assertCallers(service, (client) => client.get(`/api/plugins/${PLUGIN}/settings/`), ['staff', 'superuser'])
  })
})

describe('GET /api/plugins/{plugin}/admin/', () => {
  it('has nothing for a plugin by its key or primary key, and 404 for others', async () => {
    for (const plugin of [PLUGIN, pk])
      assert.deepEqual((await staff.get(`/api/plugins/${plugin}/admin/`)).body, { source: null, context: null })
    assert.equal((await staff.get('/api/plugins/none/admin/')).status, 404)
  })

  it('requires staff', () =>
    assertCallers(service, (client) => client.get(`/api/plugins/${PLUGIN}/admin/`), ['staff', 'superuser']))
})

describe('GET /api/plugins/ui/features/{feature}/', () => {
  it('is empty for every account', async () => {
    assert.deepEqual((await nobody.get('/api/plugins/ui/features/panel/')).body, [])
    await assertCallers(service, (client) => client.get('/api/plugins/ui/features/panel/'), ACCOUNTS)
  })
})

describe('/api/supplier/', () => {
  it('lists no suppliers, and finds nothing with unknown plugins', async () => {
    assert.deepEqual((await nobody.get('/api/supplier/list/')).body, [])
    const search = await nobody.get('/api/supplier/search/?plugin=x')
    assert.deepEqual([search.status, Object.keys(search.body)], [400, ['supplier', 'term']])
    assert.equal((await nobody.get('/api/supplier/search/?plugin=x&supplier=y&term=z')).status, 404)
    const body = { plugin: 'x', supplier: 'y', part_import_id: 'z' }
    assert.equal((await member.post('/api/supplier/import/', body)).status, 404)
    assert.deepEqual(Object.keys((await member.post('/api/supplier/import/', {})).body), Object.keys(body))
  })

  it('requires an account for reading, and the permission to add parts for importing', async () => {
    await assertCallers(service, (client) => client.get('/api/supplier/list/'), ACCOUNTS)
    await assertCallers(service, (client) => client.get('/api/supplier/search/'), ACCOUNTS)
    await assertCallers(service, (client) => client.post('/api/supplier/import/', {}), ['member', 'superuser'])
  })
})
