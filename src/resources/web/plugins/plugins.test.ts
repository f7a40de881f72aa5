import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInPlugins } from '../../../plugins/index.ts'
import { createPluginFolder } from '../../../testing/plugin-folder.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const folder = createPluginFolder()
folder.write(
  'counter',
  `title: 'Counter', description: 'Counts.', author: 'Isar', settings: {
    TOKEN: { type: 'string', default: '', protected: true, required: true, name: 'Token', description: 'A key.' },
    LIMIT: { type: 'integer', default: 5, min: 1, max: 9, units: 'days', name: 'Limit', description: 'How many.' },
  }, events: { handle() {} }`,
)
const service = await testService({ DATA_DIR: folder.dataDir })
const { staff, superuser } = service
await service.rows(`insert into plugin_config (key, name) values ('gone', 'Gone')`)

const readEvents = async () =>
  (
    await service.rows(
      `select kind, actor, details from security_event where kind in ('plugin_changed', 'setting_changed') order by pk`,
    )
  ).map(({ kind, details }) => [kind, details])

describe('GET /api/web/plugins/', () => {
  it('describes disabled plugins as well, with their origin', async () => {
    const { body } = await staff.get('/api/web/plugins/')
    assert.deepEqual([body.can_install, body.install_off], [true, null])
    const find = (key: string) => body.plugins.find((plugin: { key: string }) => plugin.key === key)
    const { pk, ...counter } = find('counter')
    assert.deepEqual(counter, {
      ...{ key: 'counter', title: 'Counter', description: 'Counts.', author: 'Isar', version: '1.0.0', published: '' },
      ...{ website: null, license: null, origin: 'folder', requirement: null, installed_at: null, active: false },
      ...{ is_running: false, is_always_on: false, features: ['events'], setting_count: 2 },
    })
    assert.deepEqual([find('gone').origin, find('gone').title], ['missing', 'Gone'])
    assert.equal(body.plugins.filter(({ origin }: { origin: string }) => origin === 'builtin').length, builtInPlugins.length)
  })

  it('is for staff', () => assertCallers(service, (client) => client.get('/api/web/plugins/'), ['staff', 'superuser']))
})

describe('GET /api/web/plugins/{plugin}/settings/', () => {
  const path = '/api/web/plugins/counter/settings/'

  it('has limits, and whether a secret is stored, but never the secret', async () => {
    const [token, limit] = (await staff.get(path)).body
    assert.deepEqual(limit, {
      ...{ key: 'LIMIT', name: 'Limit', description: 'How many.', type: 'integer', units: 'days', min: 1, max: 9 },
      ...{ choices: [], model: null, api_url: null, value: '5', default: '5', is_changed: false, is_secret: false },
      required: false,
    })
    assert.deepEqual([token.value, token.is_secret, token.is_changed, token.required], ['', true, false, true])
    assert.equal((await staff.patch('/api/plugins/settings/counter/TOKEN/', { value: 'hidden' })).status, 200)
    const { text, body } = await staff.get(path)
    assert.deepEqual([body[0].value, body[0].is_changed], ['', true])
    assert.ok(!text.includes('hidden'))
    assert.equal((await staff.get('/api/web/plugins/unknown/settings/')).status, 404)
  })

  it('is for staff', () => assertCallers(service, (client) => client.get(path), ['staff', 'superuser']))
})

describe('security events of plugins', () => {
  it('record each changed setting with its values, and a secret masked', async () => {
    await service.rows('delete from security_event')
    for (const value of [7, 7]) await staff.patch('/api/plugins/settings/counter/LIMIT/', { value })
    await staff.patch('/api/plugins/settings/counter/TOKEN/', { value: 'other' })
    assert.equal((await staff.patch('/api/plugins/settings/counter/LIMIT/', { value: 99 })).status, 400)
    assert.deepEqual(await readEvents(), [
      ['setting_changed', { plugin: 'counter', key: 'LIMIT', before: '5', after: '7' }],
      ['setting_changed', { plugin: 'counter', key: 'TOKEN', before: '***', after: '***' }],
    ])
  })

  it('record each plugin that is enabled or disabled, once', async () => {
    await service.rows('delete from security_event')
    for (const active of [true, true, false]) await superuser.patch('/api/plugins/activate/', { plugin: 'counter', active })
    assert.equal((await staff.patch('/api/plugins/activate/', { plugin: 'counter', active: true })).status, 403)
    assert.deepEqual(await readEvents(), [
      ['plugin_changed', { plugin: 'counter', active: { before: false, after: true } }],
      ['plugin_changed', { plugin: 'counter', active: { before: true, after: false } }],
    ])
  })
})
