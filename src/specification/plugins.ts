import { boolean, string } from './fields.ts'
import { array, created, echo, flag, metadataOf, ok, page, type Row, type Scene, text } from './operations.ts'
import { Metadata, PluginConfig, PluginSetting } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Plugins".

const required = true

/** A built-in plugin, and one of its settings, which is a boolean. */
const PLUGIN = 'inventreelabel'
const SETTING = 'DEBUG'

const pluginOf = async (fixture: Fixture, key: string): Promise<number> => {
  const { results } = (await fixture.service.anonymous.get(`/api/plugins/?search=${key}`, fixture.superuser.token)).body
  return results.find((plugin: { key: string }) => plugin.key === key).pk
}

/** Enables a plugin. */
async function onPlugin(fixture: Fixture) {
  const id = await pluginOf(fixture, PLUGIN)
  await fixture.service.anonymous.patch(`/api/plugins/${id}/activate/`, { active: true }, fixture.superuser.token)
  return { path: { id }, body: { active: true } }
}

async function onSetting(fixture: Fixture) {
  const { path } = await onPlugin(fixture)
  return { path: { ...path, key: SETTING }, body: { value: 'False' } }
}

/** Three built-in plugins, one of which is disabled. */
async function plugins(fixture: Fixture): Promise<Scene> {
  const off = await pluginOf(fixture, 'inventreelabelsheet')
  await fixture.service.anonymous.patch(`/api/plugins/${off}/activate/`, { active: false }, fixture.superuser.token)
  return { rows: { label: await pluginOf(fixture, PLUGIN), barcode: await pluginOf(fixture, 'inventreebarcode'), off } }
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
    answer: page(PluginConfig),
    scene: plugins,
  },
  {
    // without a name it applies to all plugins (decision 10)
    operation: 'PATCH, PUT /api/plugins/activate/',
    body: Activation,
    answer: ok(Activation),
    by: 'superuser',
  },
  {
    operation: 'PATCH, PUT /api/plugins/{id}/activate/',
    body: Activation,
    answer: ok(Activation),
    by: 'superuser',
    given: onPlugin,
  },
  {
    operation: 'POST /api/plugins/install/',
    body: {
      // any value but true is rejected (decision 28)
      confirm: { ...boolean({ required }), accepts: [() => true] },
      packagename: string({ like: () => 'stockroom-to-try' }),
      url: string({ like: (_, body) => body.url as string }),
      version: string({ like: () => '1.0.0' }),
    },
    answer: echo,
    by: 'superuser',
    given: async () => ({ body: { confirm: true, packagename: '', url: await make.pluginPackage(), version: '' } }),
  },
  { operation: 'GET /api/plugins/metadata/', answer: ok(Metadata) },
  {
    operation: 'PATCH, PUT /api/plugins/metadata/',
    body: Metadata,
    answer: ok(Metadata),
    given: metadataOf(async (fixture) => {
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
    answer: created({ collect_plugins: boolean(), force_reload: boolean(), full_reload: boolean() }),
    by: 'superuser',
  },
  { operation: 'GET /api/plugins/settings/', answer: page(PluginSetting), by: 'staff' },
  { operation: 'GET /api/plugins/{id}/settings/', answer: array(PluginSetting), by: 'staff', given: onPlugin },
  { operation: 'GET /api/plugins/{id}/settings/{key}/', answer: ok(PluginSetting), by: 'staff', given: onSetting },
  {
    operation: 'PATCH /api/plugins/{id}/settings/{key}/',
    body: PluginSetting,
    answer: ok(PluginSetting),
    by: 'staff',
    given: onSetting,
  },
]
