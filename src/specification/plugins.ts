import { boolean, string } from './fields.ts'
import { array, created, echo, flag, ok, page, type Row, type TestData, text, withMetadata } from './operations.ts'
import { Metadata, PluginConfig, PluginSetting } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Plugins".

const required = true

/** A built-in plugin, and one of its settings, which is a boolean. */
const PLUGIN = 'inventreelabel'
const SETTING = 'DEBUG'

const findPlugin = async (fixture: Fixture, key: string): Promise<number> => {
  const { results } = (await fixture.service.anonymous.get(`/api/plugins/?search=${key}`, fixture.superuser.token)).body
  return results.find((plugin: { key: string }) => plugin.key === key).pk
}

/** Enables a plugin. */
async function enablePlugin(fixture: Fixture) {
  const id = await findPlugin(fixture, PLUGIN)
  await fixture.service.anonymous.patch(`/api/plugins/${id}/activate/`, { active: true }, fixture.superuser.token)
  return { path: { id }, body: { active: true } }
}

async function prepareSetting(fixture: Fixture) {
  const { path } = await enablePlugin(fixture)
  return { path: { ...path, key: SETTING }, body: { value: 'False' } }
}

/** Returns three built-in plugins, one of which it disables. */
async function preparePlugins(fixture: Fixture): Promise<TestData> {
  const off = await findPlugin(fixture, 'inventreelabelsheet')
  await fixture.service.anonymous.patch(`/api/plugins/${off}/activate/`, { active: false }, fixture.superuser.token)
  return { rows: { label: await findPlugin(fixture, PLUGIN), barcode: await findPlugin(fixture, 'inventreebarcode'), off } }
}

const all = ['label', 'barcode', 'off']
const Activation = { active: boolean({ default: true }) }

export const pluginRows: Row[] = [
  {
    operation: 'GET /api/plugins/',
    parameters: {
      active: flag('label', 'barcode'),
      builtin: flag(...all),
      installed: flag(...all),
      sample: flag(),
      mixin: text(() => [
        ['labels', 'label', 'off'],
        ['barcode', 'barcode'],
      ]),
      search: text(() => [[PLUGIN, 'label', 'off'], ['nothing is called so']]),
    },
    ordering: ['key'],
    response: page(PluginConfig),
    testData: preparePlugins,
  },
  {
    // without a name it applies to all plugins (docs/decisions.md#activating-plugins)
    operation: 'PATCH, PUT /api/plugins/activate/',
    body: Activation,
    response: ok(Activation),
    caller: 'superuser',
  },
  {
    operation: 'PATCH, PUT /api/plugins/{id}/activate/',
    body: Activation,
    response: ok(Activation),
    caller: 'superuser',
    setup: enablePlugin,
  },
  {
    operation: 'POST /api/plugins/install/',
    body: {
      // any value but true is rejected: installing requires confirmation
      confirm: { ...boolean({ required }), accepts: [() => true] },
      packagename: string({ generate: () => 'stockroom-to-try' }),
      url: string({ generate: (_, body) => body.url as string }),
      version: string({ generate: () => '1.0.0' }),
    },
    response: echo,
    caller: 'superuser',
    setup: async () => ({ body: { confirm: true, packagename: '', url: await make.pluginPackage(), version: '' } }),
  },
  { operation: 'GET /api/plugins/metadata/', response: ok(Metadata) },
  {
    operation: 'PATCH, PUT /api/plugins/metadata/',
    body: Metadata,
    response: ok(Metadata),
    setup: withMetadata(async (fixture) => {
      // all metadata is in one object: PATCH merges into it
      await fixture.service.anonymous.put('/api/plugins/metadata/', { metadata: {} }, fixture.superuser.token)
      return {}
    }),
  },
  {
    operation: 'POST /api/plugins/reload/',
    body: {
      collect_plugins: boolean({ default: false }),
      force_reload: boolean({ default: false }),
      full_reload: boolean({ default: false }),
    },
    response: created({ collect_plugins: boolean(), force_reload: boolean(), full_reload: boolean() }),
    caller: 'superuser',
  },
  { operation: 'GET /api/plugins/settings/', response: page(PluginSetting), caller: 'staff' },
  { operation: 'GET /api/plugins/{id}/settings/', response: array(PluginSetting), caller: 'staff', setup: enablePlugin },
  { operation: 'GET /api/plugins/{id}/settings/{key}/', response: ok(PluginSetting), caller: 'staff', setup: prepareSetting },
  {
    operation: 'PATCH /api/plugins/{id}/settings/{key}/',
    body: PluginSetting,
    response: ok(PluginSetting),
    caller: 'staff',
    setup: prepareSetting,
  },
]
