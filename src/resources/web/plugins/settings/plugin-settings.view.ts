import { Type } from 'typebox'
import { view } from '../../../../kit/definition/action.ts'
import { staff } from '../../../../kit/request/caller.ts'
import { notFound } from '../../../../kit/request/problem.ts'
import { toSettings } from '../../../../plugin-host/plugin-settings.ts'
import { getRegistry } from '../../../plugins/plugin-registry.ts'
import { describeSettings, settingFormSchema } from '../../setting-form.ts'

/** The settings of a plugin as its page in the console shows them. */
export const listPluginSettings = view({
  path: '/api/web/plugins/{plugin}/settings/',
  summary: 'List the settings of a plugin with their limits',
  description:
    'All settings of a plugin, enabled or not, with their types, limits and defaults, and without secrets. Change one with `PATCH /api/plugins/settings/{plugin}/{key}/`.',
  access: staff,
  params: { plugin: 'The key of the plugin.' },
  errors: { not_found: 'The plugin does not exist.' },
  example: { params: { plugin: 'inventreelabel' } },
  response: Type.Array(settingFormSchema),
  async read(request) {
    const { plugin = '' } = request.params
    const [row] = await request.database.read<{ pk: number }>({
      text: 'select pk from plugin_config where key = $1',
      values: [plugin],
    })
    if (!row) throw notFound()
    const definitions = getRegistry(request).manifest(plugin)?.settings ?? {}
    const stored = await request.database.read<{ key: string; value: string }>({
      text: 'select key, value from plugin_setting where plugin = $1',
      values: [row.pk],
    })
    return describeSettings(toSettings(definitions), stored, (key) => definitions[key]?.required === true)
  },
})
