import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { signedIn, staff } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'

/** Plugins of this service add nothing to web interfaces; clients of API 259 ask for it. */
const listUiFeatures = view({
  path: '/api/plugins/ui/features/{feature}/',
  summary: 'List features of plugins for web interfaces',
  description: 'The features of one kind that plugins add to web interfaces: always none.',
  access: signedIn,
  params: { feature: 'The kind of feature, such as `panel`.' },
  example: { params: { feature: 'panel' } },
  response: Type.Array(Type.Object({})),
  read: () => [],
})

const readAdmin = view({
  path: '/api/plugins/{plugin}/admin/',
  summary: 'Get the administration page of a plugin',
  description: 'Returns the script of an administration page that a plugin adds to web interfaces: always null.',
  access: staff,
  errors: { not_found: 'The plugin does not exist.' },
  params: { plugin: 'The key of the plugin, or its primary key.' },
  example: { params: { plugin: 'inventreelabel' } },
  response: Type.Object({ source: Type.Null({ description: 'Nothing.' }), context: Type.Null({ description: 'Nothing.' }) }),
  async read({ params: { plugin = '' }, database }) {
    const [row] = await database.read({ text: 'select from plugin_config where key = $1 or pk::text = $1', values: [plugin] })
    if (!row) throw new Problem('not_found', pluginErrors.plugin_not_installed({ plugin: plugin.slice(0, 255) }))
    return { source: null, context: null }
  },
})

export const pluginInterfaceViews = [listUiFeatures, readAdmin]
