import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { superuser } from '../../kit/request/caller.ts'
import { invalid, notFound } from '../../kit/request/problem.ts'
import type { Database } from '../../kit/sql/tx.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'
import { getRegistry, switchPlugins } from './plugin-registry.ts'

const active = input.boolean({ default: true, label: 'Activate Plugin', help: 'Whether to enable it; on by default.' })

const responseSchema = Type.Object({ active: Type.Boolean({ description: 'Whether it is enabled now.' }) })

const errorDocs = { invalid: 'A plugin cannot be started; `active` gives the reason, and nothing is changed.' }

const RESPONSE_REMARK =
  'The response is sent after enabled plugins have started and disabled plugins have stopped; other nodes follow within a second.'

const findPluginKey = async (database: Database, column: 'pk' | 'key', value: number | string): Promise<string | undefined> =>
  (await database.read<{ key: string }>({ text: `select key from plugin_config where ${column} = $1`, values: [value] }))[0]?.key

const activatePlugin = (method: 'PUT' | 'PATCH') =>
  procedure({
    method,
    path: '/api/plugins/{id}/activate/',
    summary: 'Enable or disable a plugin',
    description: `Enables or disables a plugin. ${RESPONSE_REMARK}`,
    errors: errorDocs,
    example: { params: { id: 6 }, body: { active: true } },
    access: superuser,
    body: { active },
    response: responseSchema,
    async handle(request) {
      const key = await findPluginKey(request.database, 'pk', request.pk)
      if (key === undefined) throw notFound()
      return { active: await switchPlugins(request, [key], request.body.active ?? true) }
    },
  })

const activatePlugins = (method: 'PUT' | 'PATCH') =>
  procedure({
    method,
    path: '/api/plugins/activate/',
    summary: 'Enable or disable plugins',
    description: `Enables or disables the plugin that \`pk\` or \`plugin\` names; without either, all installed plugins, all or none. ${RESPONSE_REMARK}`,
    errors: errorDocs,
    example: { body: { plugin: 'inventreelabelsheet', active: true } },
    access: superuser,
    body: {
      active,
      pk: input.optional(input.integer({ help: 'The plugin.' })),
      plugin: input.optional(input.text({ max: 255, help: 'The plugin.' })),
    },
    response: responseSchema,
    async handle(request) {
      const { pk, plugin, active = true } = request.body
      const column = pk === undefined ? 'key' : 'pk'
      const identifier = pk ?? plugin
      if (identifier === undefined) {
        await switchPlugins(request, getRegistry(request).keys, active)
        return { active }
      }
      const key = await findPluginKey(request.database, column, identifier)
      if (key === undefined) throw invalid({ [pk === undefined ? 'plugin' : 'pk']: [pluginErrors.unknown_plugin] })
      return { active: await switchPlugins(request, [key], active) }
    },
  })

export const activateActions = [activatePlugin('PUT'), activatePlugin('PATCH'), activatePlugins('PUT'), activatePlugins('PATCH')]
