import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, type TestService, testService } from '../../testing/service.ts'

const service = await testService()
const existing = await testService({ WIRE_FORM: 'inventree' })

const path = '/api/plugins/'
const everyone = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const
const getPluginKey = async (key: string, target: TestService = service): Promise<number> =>
  (await target.rows('select pk from plugin_config where key = $1', [key]))[0].pk
const getKeys = (response: { body: { results: { key: string }[] } }) => response.body.results.map(({ key }) => key)
const readStoredPlugins = () =>
  service.rows('select pk, key, name, package_name, active, metadata::text from plugin_config order by pk')
const readPlugin = async (key: string) => (await service.viewer.get(`${path}${await getPluginKey(key)}/`)).body

const label = await getPluginKey('inventreelabel')
const tme = await getPluginKey('tmeplugin')

/** Creates a plugin that is no longer installed. */
async function insertRemovedPlugin(key: string): Promise<number> {
  const [row] = await service.rows('insert into plugin_config (key, name, active) values ($1, $1, false) returning pk', [key])
  return row.pk
}

describe('GET /api/plugins/', () => {
  it('lists built-in plugins, enabled ones first and then by name', async () => {
    await service.superuser.patch(`${path}${label}/activate/`, { active: false })
    const all = await service.viewer.get(path)
    assert.deepEqual(getKeys(all), [
      'digikeyplugin',
      'inventreebarcode',
      'inventreecorenotificationsplugin',
      'inventreecurrencyexchange',
      'inventreelabelmachine',
      'inventreelabelsheet',
      'ippprinter',
      'lcscplugin',
      'mouserplugin',
      'tmeplugin',
      'zplprinter',
      'inventreelabel',
    ])
    await service.superuser.patch(`${path}${label}/activate/`, { active: true })
  })

  it('filters, searches and sorts', async () => {
    const removedPlugin = await insertRemovedPlugin('gone')
    const count = async (query: string) => (await service.viewer.get(`${path}?${query}`)).body.count
    assert.equal(await count('builtin=true'), 12)
    assert.equal(await count('builtin=false'), 1)
    assert.equal(await count('installed=false'), 1)
    assert.equal(await count('sample=true'), 0)
    assert.equal(await count('active=true'), 12)
    assert.equal(await count('search=inventree'), 6)
    assert.deepEqual(getKeys(await service.viewer.get(`${path}?mixin=Settings, labels&ordering=key`)), [
      'inventreelabel',
      'inventreelabelsheet',
    ])
    assert.equal(await count('mixin=nothing'), 0)
    assert.deepEqual(getKeys(await service.viewer.get(`${path}?ordering=-key&limit=2`)), ['zplprinter', 'tmeplugin'])
    assert.equal((await service.viewer.get(`${path}?active=perhaps`)).status, 400)
    await service.superuser.delete(`${path}${removedPlugin}/`)
  })

  it('requires only an account', () => assertCallers(service, (client) => client.get(path), everyone))
})

describe('GET /api/plugins/{id}/', () => {
  it('returns a plugin’s details, location and mixins', async () => {
    assert.deepEqual(await readPlugin('digikeyplugin'), {
      pk: await getPluginKey('digikeyplugin'),
      key: 'digikeyplugin',
      name: 'DigiKeyPlugin',
      package_name: null,
      active: true,
      meta: {
        slug: 'digikeyplugin',
        human_name: 'Supplier Integration - DigiKey',
        description: 'Reads DigiKey labels.',
        author: 'Stockroom',
        pub_date: '',
        version: '1.0.0',
        website: null,
        license: null,
        package_path: 'plugin/builtin/suppliers/digikey.py',
        settings_url: '/settings/#select-plugin-digikeyplugin',
      },
      mixins: {
        base: { key: 'base', human_name: 'base' },
        settings: { key: 'settings', human_name: 'Settings' },
        barcode: { key: 'barcode', human_name: 'Barcode' },
        'supplier-barcode': { key: 'supplier-barcode', human_name: 'Barcode' },
      },
      is_builtin: true,
      is_sample: false,
      is_installed: true,
      is_package: false,
    })
  })

  it('omits details of a disabled plugin, and also the mixins of a removed one', async () => {
    await service.superuser.patch(`${path}${label}/activate/`, { active: false })
    const off = await readPlugin('inventreelabel')
    assert.deepEqual(new Set(Object.values(off.meta)), new Set([null]))
    assert.equal(Object.keys(off.meta).length, 10)
    assert.deepEqual(Object.keys(off.mixins), ['base', 'settings', 'labels'])
    await service.superuser.patch(`${path}${label}/activate/`, { active: true })
    const removedPlugin = await insertRemovedPlugin('gone-too')
    const { meta, mixins, is_installed } = (await service.viewer.get(`${path}${removedPlugin}/`)).body
    assert.deepEqual([Object.keys(meta).length, mixins, is_installed], [10, {}, false])
    await service.superuser.delete(`${path}${removedPlugin}/`)
  })

  it('requires only an account', () => assertCallers(service, (client) => client.get(`${path}${label}/`), everyone))
})

for (const method of ['PUT', 'PATCH'] as const)
  describe(`${method} /api/plugins/{id}/`, () => {
    const send = (body: unknown, headers?: Record<string, string>) =>
      service.superuser.send(method, `${path}${tme}/`, body, headers)

    it('changes names, but not whether it is enabled', async () => {
      const changed = await send({ name: 'Our TME', package_name: 'tme' })
      assert.deepEqual(
        [changed.status, changed.body.name, changed.body.package_name, changed.body.active],
        [200, 'Our TME', 'tme', true],
      )
      assert.equal(changed.body.meta.slug, 'tmeplugin')
      await send({ name: 'TMEPlugin', package_name: null })
      assert.equal((await send({ name: 'x'.repeat(256) })).status, 400)
      assert.equal((await send({ active: null })).status, 400)
    })

    it('enables and disables it, and responds with the new state', async () => {
      const off = await send({ name: 'TMEPlugin', active: false })
      assert.deepEqual([off.body.active, off.body.meta.slug], [false, null])
      const on = await send({ name: 'TMEPlugin', active: true })
      assert.deepEqual([on.body.active, on.body.meta.slug], [true, 'tmeplugin'])
    })

    it('checks If-Match, also when enabling or disabling', async () => {
      const before = await readStoredPlugins()
      for (const body of [{ name: 'Other' }, { active: false }])
        assert.equal((await send(body, { 'if-match': '"1"' })).status, 412)
      assert.deepEqual(await readStoredPlugins(), before)
      const { headers } = await service.viewer.get(`${path}${tme}/`)
      assert.equal((await send({ name: 'TMEPlugin' }, { 'if-match': String(headers.etag) })).status, 200)
    })

    it('requires the role admin, and a superuser to enable or disable', async () => {
      await assertCallers(
        service,
        (client) => client.send(method, `${path}${tme}/`, { name: 'TMEPlugin' }),
        ['member', 'superuser'],
        readStoredPlugins,
      )
      await assertCallers(
        service,
        (client) => client.send(method, `${path}${tme}/`, { name: 'TMEPlugin', active: false }),
        ['superuser'],
        readStoredPlugins,
      )
      await send({ name: 'TMEPlugin', active: true })
    })
  })

describe('DELETE /api/plugins/{id}/', () => {
  it('deletes a removed plugin, with its settings', async () => {
    const removedPlugin = await insertRemovedPlugin('forgotten')
    await service.pool.query(`insert into plugin_setting (plugin, key, value) values ($1, 'KEY', 'x')`, [removedPlugin])
    assert.equal((await service.superuser.delete(`${path}${removedPlugin}/`)).status, 204)
    assert.equal((await service.rows('select from plugin_setting where plugin = $1', [removedPlugin])).length, 0)
  })

  it('rejects an enabled plugin, and a built-in one', async () => {
    const before = await readStoredPlugins()
    const on = await service.superuser.delete(`${path}${tme}/`)
    assert.equal(on.status, 400)
    assert.deepEqual(on.body, { detail: ['Plugin cannot be deleted as it is currently active'] })
    assert.deepEqual(await readStoredPlugins(), before)
    await service.superuser.patch(`${path}${tme}/activate/`, { active: false })
    assert.equal((await service.superuser.delete(`${path}${tme}/`)).status, 400)
    const { paths } = (await service.member.get('/api/schema/')).body
    assert.match(paths[`${path}{id}/`].delete.responses[400].description, /enabled/)
    await service.superuser.patch(`${path}${tme}/activate/`)
  })

  it('requires the role admin', () =>
    assertCallers(service, (client) => client.delete(`${path}${tme}/`), ['member', 'superuser'], readStoredPlugins))
})

for (const method of ['PUT', 'PATCH'] as const) {
  describe(`${method} /api/plugins/{id}/activate/`, () => {
    const send = (id: number, body: unknown) => service.superuser.send(method, `${path}${id}/activate/`, body)

    it('disables it, and enables it by default', async () => {
      assert.deepEqual((await send(tme, { active: false })).body, { active: false })
      assert.equal((await readPlugin('tmeplugin')).active, false)
      assert.deepEqual((await send(tme, {})).body, { active: true })
      assert.equal((await readPlugin('tmeplugin')).meta.slug, 'tmeplugin')
    })

    it('rejects a plugin that is not installed, with the reason, and changes nothing', async () => {
      const removedPlugin = await insertRemovedPlugin(`gone-${method.toLowerCase()}`)
      const before = await readStoredPlugins()
      const rejection = await send(removedPlugin, { active: true })
      assert.equal(rejection.status, 400)
      assert.match(rejection.body.active[0], /not installed/)
      assert.deepEqual(await readStoredPlugins(), before)
      assert.equal((await send(99_999_999, {})).status, 404)
      assert.equal((await send(tme, { active: 'perhaps' })).status, 400)
      await service.superuser.delete(`${path}${removedPlugin}/`)
    })

    it('keeps built-in plugins enabled for existing clients', async () => {
      const id = await getPluginKey('tmeplugin', existing)
      assert.deepEqual((await existing.superuser.send(method, `${path}${id}/activate/`, { active: false })).body, {
        active: true,
      })
      assert.equal((await existing.viewer.get(`${path}${id}/`)).body.meta.slug, 'tmeplugin')
    })

    it('requires a superuser', () =>
      assertCallers(service, (client) => client.send(method, `${path}${tme}/activate/`, {}), ['superuser'], readStoredPlugins))
  })

  describe(`${method} /api/plugins/activate/`, () => {
    const send = (body: unknown) => service.superuser.send(method, `${path}activate/`, body)

    it('switches one plugin by its primary key or its key', async () => {
      assert.deepEqual((await send({ pk: tme, active: false })).body, { active: false })
      assert.equal((await readPlugin('tmeplugin')).active, false)
      assert.deepEqual((await send({ plugin: 'tmeplugin' })).body, { active: true })
      assert.equal((await readPlugin('tmeplugin')).active, true)
      assert.deepEqual(Object.keys((await send({ pk: 99_999_999 })).body), ['pk'])
      assert.deepEqual(Object.keys((await send({ plugin: 'nothing' })).body), ['plugin'])
    })

    it('switches all installed plugins when none is named', async () => {
      const removedPlugin = await insertRemovedPlugin(`gone-all-${method.toLowerCase()}`)
      assert.deepEqual((await send({ active: false })).body, { active: false })
      assert.equal((await service.viewer.get(`${path}?active=true`)).body.count, 0)
      assert.deepEqual((await send({})).body, { active: true })
      assert.equal((await service.viewer.get(`${path}?active=true`)).body.count, 12)
      await service.superuser.delete(`${path}${removedPlugin}/`)
    })

    it('requires a superuser', () =>
      assertCallers(
        service,
        (client) => client.send(method, `${path}activate/`, { plugin: 'tmeplugin' }),
        ['superuser'],
        readStoredPlugins,
      ))
  })
}

describe('GET, PUT, PATCH /api/plugins/metadata/', () => {
  const metadataPath = `${path}metadata/`

  it('apply to the plugins as a whole, or to the named one', async () => {
    await service.superuser.put(metadataPath, { metadata: { all: 1 } })
    await service.superuser.put(`${metadataPath}?plugin=tmeplugin`, { metadata: { tme: 1 } })
    await service.superuser.patch(`${metadataPath}?pk=${tme}`, { metadata: { more: 2 } })
    assert.deepEqual((await service.viewer.get(metadataPath)).body, { metadata: { all: 1 } })
    assert.deepEqual((await service.viewer.get(`${metadataPath}?pk=${tme}`)).body, { metadata: { tme: 1, more: 2 } })
    for (const query of ['plugin=nothing', 'pk=99999999', 'pk=x'])
      assert.equal((await service.superuser.get(`${metadataPath}?${query}`)).status, 404, query)
    assert.equal((await service.superuser.put(metadataPath, {})).status, 400)
  })

  it('require only an account to read, and the role admin to write', async () => {
    await assertCallers(service, (client) => client.get(metadataPath), everyone)
    for (const method of ['PUT', 'PATCH'])
      await assertCallers(
        service,
        (client) => client.send(method, metadataPath, { metadata: {} }),
        ['member', 'superuser'],
        async () => service.rows('select metadata::text from plugin_registry'),
      )
  })
})

describe('POST /api/plugins/reload/', () => {
  it('returns its flags, including omitted ones', async () => {
    assert.deepEqual((await service.superuser.post(`${path}reload/`, { full_reload: true })).body, {
      full_reload: true,
      force_reload: false,
      collect_plugins: false,
    })
    assert.equal((await service.viewer.get(`${path}?active=true`)).body.count, 12)
    assert.equal((await service.superuser.post(`${path}reload/`, { full_reload: 'perhaps' })).status, 400)
  })

  it('requires a superuser', () =>
    assertCallers(
      service,
      (client) => client.post(`${path}reload/`),
      ['superuser'],
      () => service.rows('select reloads from plugin_registry'),
    ))
})

describe('GET /api/plugins/status/', () => {
  it('reports no errors and no disabling settings for built-in plugins', async () => {
    assert.deepEqual((await service.superuser.get(`${path}status/`)).body, { registry_errors: [], waiting: [] })
  })

  it('reports an enabled plugin that is not installed as missing', async () => {
    const removedPlugin = await insertRemovedPlugin('missing')
    await service.pool.query('update plugin_config set active = true where pk = $1', [removedPlugin])
    await service.superuser.post(`${path}reload/`)
    const { registry_errors } = (await service.superuser.get(`${path}status/`)).body
    assert.deepEqual(
      registry_errors.map(({ stage, name }: Record<string, string>) => [stage, name]),
      [['discovery', 'missing']],
    )
    await service.pool.query('delete from plugin_config where pk = $1', [removedPlugin])
    await service.superuser.post(`${path}reload/`)
  })

  it('requires a superuser', () => assertCallers(service, (client) => client.get(`${path}status/`), ['superuser']))
})
