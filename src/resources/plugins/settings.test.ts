import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { assertCallers, type TestService, testService } from '../../testing/service.ts'

const { dataDir, write } = createPluginFolder()
write(
  'cautious',
  `settings: { TOKEN: { type: 'string', default: '', name: 'Token', description: 'What lets it in.', protected: true, required: true } },
   async start({ settings }) { if (await settings.get('TOKEN') !== 'right') throw new Error('it needs a token') },`,
)
write('broken', `settings: { A: 5 },`)
const service = await testService({ DATA_DIR: dataDir })
const existing = await testService({ WIRE_FORM: 'inventree', DATA_DIR: dataDir })

const staff = ['staff', 'superuser'] as const
const getPluginKey = async (key: string, target: TestService = service): Promise<number> =>
  (await target.rows('select pk from plugin_config where key = $1', [key]))[0].pk
const notificationsPlugin = await getPluginKey('inventreecorenotificationsplugin')
const readStoredSettings = () => service.rows('select key, value from plugin_setting order by pk')
const getSettingPath = (plugin: string, key: string) => `/api/plugins/settings/${plugin}/${key}/`

describe('GET /api/plugins/{id}/settings/', () => {
  it('returns a bare list in the order of the plugin, each with a row', async () => {
    const { body } = await service.staff.get(`/api/plugins/${notificationsPlugin}/settings/`)
    assert.deepEqual(
      body.map(({ key, value, type }: Record<string, string>) => [key, value, type]),
      [
        ['ENABLE_NOTIFICATION_EMAILS', 'False', 'boolean'],
        ['ENABLE_NOTIFICATION_SLACK', 'False', 'boolean'],
        ['NOTIFICATION_SLACK_URL', '***', 'string'],
      ],
    )
    assert.ok(body.every(({ pk }: { pk: unknown }) => Number.isInteger(pk)))
    const [supplier] = (await service.staff.get(`/api/plugins/${await getPluginKey('tmeplugin')}/settings/`)).body
    const { pk: _, name: __, description: ___, ...rest } = supplier
    assert.deepEqual(rest, {
      key: 'SUPPLIER_ID',
      value: '',
      type: 'related field',
      choices: '[]',
      model_name: 'company.company',
      api_url: '/api/company/',
      typ: 'plugin',
      required: false,
      plugin: 'tmeplugin',
    })
  })

  it('returns null to existing clients for settings never stored', async () => {
    const id = await getPluginKey('tmeplugin', existing)
    const [supplier] = (await existing.staff.get(`/api/plugins/${id}/settings/`)).body
    assert.deepEqual([supplier.pk, supplier.choices, supplier.api_url], [null, [], '/api/company/'])
    assert.deepEqual((await existing.staff.get('/api/plugins/settings/')).body, [])
    await existing.staff.get(getSettingPath('tmeplugin', 'SUPPLIER_ID'))
    assert.equal((await existing.staff.get('/api/plugins/settings/')).body.length, 1)
  })

  it('returns 404 for a plugin that is not installed, or cannot be loaded', async () => {
    assert.equal((await service.staff.get('/api/plugins/99999999/settings/')).status, 404)
    const { status, body } = await service.staff.get(`/api/plugins/${await getPluginKey('broken')}/settings/`)
    assert.deepEqual([status, body.detail], [404, "Plugin 'broken' cannot be loaded"])
  })

  it('returns 404 to existing clients for a disabled plugin', async () => {
    for (const key of ['cautious', 'broken']) {
      const { status, body } = await existing.staff.get(`/api/plugins/${await getPluginKey(key, existing)}/settings/`)
      assert.deepEqual([status, body.detail], [404, `Plugin '${key}' is not active`])
    }
    const response = await existing.staff.patch(getSettingPath('cautious', 'TOKEN'), { value: 'right' })
    assert.deepEqual([response.status, response.body.detail], [404, "Plugin 'cautious' is not active"])
  })

  it('requires staff', () =>
    assertCallers(service, (client) => client.get(`/api/plugins/${notificationsPlugin}/settings/`), staff))
})

describe('GET /api/plugins/settings/', () => {
  const path = '/api/plugins/settings/'

  it('lists the settings of all plugins, stored or not; searches, sorts and filters', async () => {
    const { count, results } = (await service.staff.get(path)).body
    assert.equal(count, 12)
    assert.equal(new Set(results.map(({ pk }: { pk: number }) => pk)).size, 12)
    assert.equal((await service.staff.get(`${path}?search=supplier`)).body.count, 4)
    assert.equal((await service.staff.get(`${path}?plugin__key=tmeplugin`)).body.count, 1)
    const disabledSettings = (await service.staff.get(`${path}?plugin__active=false`)).body.results
    assert.deepEqual(
      disabledSettings.map(({ key, plugin, required }: Record<string, unknown>) => [key, plugin, required]),
      [['TOKEN', 'cautious', true]],
    )
    assert.equal((await service.staff.get(`${path}?plugin__active=perhaps`)).status, 400)
    const sortedPage = (await service.staff.get(`${path}?ordering=-key&limit=2&offset=2`)).body
    assert.deepEqual(
      sortedPage.results.map(({ key }: { key: string }) => key),
      ['SUPPLIER_ID', 'SUPPLIER_ID'],
    )
  })

  it('requires staff', () => assertCallers(service, (client) => client.get(path), staff))
})

for (const [name, at] of [
  ['/api/plugins/{id}/settings/{key}/', (key: string) => `/api/plugins/${notificationsPlugin}/settings/${key}/`],
  ['/api/plugins/settings/{plugin}/{key}/', (key: string) => getSettingPath('inventreecorenotificationsplugin', key)],
] as const) {
  describe(`GET ${name}`, () => {
    it('returns one setting, and never the value of a secret one', async () => {
      assert.equal((await service.staff.get(at('ENABLE_NOTIFICATION_EMAILS'))).body.value, 'False')
      await service.staff.patch(at('NOTIFICATION_SLACK_URL'), { value: 'https://hooks.example/secret' })
      assert.equal((await service.staff.get(at('NOTIFICATION_SLACK_URL'))).body.value, '***')
      assert.equal(
        (await readStoredSettings()).find(({ key }) => key === 'NOTIFICATION_SLACK_URL')?.value,
        'https://hooks.example/secret',
      )
    })

    it('returns 404 for an unknown key, also in another case', async () => {
      for (const key of ['NOTHING', 'enable_notification_emails', 'toString', '__proto__'])
        assert.equal((await service.staff.get(at(key))).status, 404, key)
    })

    it('requires staff', () => assertCallers(service, (client) => client.get(at('ENABLE_NOTIFICATION_EMAILS')), staff))
  })

  for (const method of ['PUT', 'PATCH'] as const)
    describe(`${method} ${name}`, () => {
      it('stores only a value of its type', async () => {
        const response = await service.staff.send(method, at('ENABLE_NOTIFICATION_EMAILS'), { value: true })
        assert.deepEqual([response.status, response.body.value], [200, 'True'])
        assert.equal((await service.staff.send(method, at('ENABLE_NOTIFICATION_EMAILS'), { value: 'off' })).body.value, 'False')
        for (const value of ['perhaps', null, {}, 'x'.repeat(2001)])
          assert.equal((await service.staff.send(method, at('ENABLE_NOTIFICATION_EMAILS'), { value })).status, 400)
        assert.equal(
          (await service.staff.send(method, at('ENABLE_NOTIFICATION_EMAILS'), {})).status,
          method === 'PUT' ? 400 : 200,
        )
        assert.equal((await service.staff.send(method, at('NOTHING'), { value: '1' })).status, 404)
      })

      it('requires staff', () =>
        assertCallers(
          service,
          (client) => client.send(method, at('ENABLE_NOTIFICATION_EMAILS'), { value: 'False' }),
          staff,
          readStoredSettings,
        ))
    })
}

describe('a plugin that needs a setting to start', () => {
  it('accepts the setting while disabled, and then starts', async () => {
    const activate = () => service.superuser.patch('/api/plugins/activate/', { plugin: 'cautious' })
    const rejection = await activate()
    assert.equal(rejection.status, 400)
    assert.match(rejection.body.active[0], /it needs a token/)
    const response = await service.staff.patch(getSettingPath('cautious', 'TOKEN'), { value: 'right' })
    assert.deepEqual([response.status, response.body.value], [200, '***'])
    assert.deepEqual((await activate()).body, { active: true })
  })

  it('lists the settings of its changed module, though disabled', async () => {
    const readKeys = async () =>
      (await service.staff.get('/api/plugins/settings/?plugin__key=changes')).body.results.map(({ key }: { key: string }) => key)
    const defineSetting = (key: string) => `settings: { ${key}: { type: 'boolean', default: false, name: 'It' } },`
    write('changes', defineSetting('ONE'))
    await service.superuser.post('/api/plugins/reload/')
    assert.deepEqual(await readKeys(), ['ONE'])
    write('changes', defineSetting('ANOTHER'))
    await service.superuser.post('/api/plugins/reload/')
    assert.deepEqual(await readKeys(), ['ANOTHER'])
  })
})
