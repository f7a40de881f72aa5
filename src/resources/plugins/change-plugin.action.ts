import { type Procedure, procedure } from '../../kit/definition/action.ts'
import { responseSchema } from '../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../kit/reading/detail.ts'
import { requireAccess, superuser } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { toWriteRequest, update } from '../../kit/writing/write.ts'
import { pluginConfig } from './plugin-config.resource.ts'
import { switchPlugins } from './plugin-registry.ts'

/** Changes a plugin, starting it before its row says that it is enabled; no connection is held during the start. */
const changePlugin = (method: 'PUT' | 'PATCH') =>
  procedure({
    method,
    path: '/api/plugins/{id}/',
    summary: `${method === 'PUT' ? 'Replace' : 'Change'} a plugin`,
    description:
      'Changes the configuration of a plugin. `name` and `package_name` have no effect; `active` enables or disables it like `/api/plugins/{id}/activate/`, and requires a superuser.',
    errors: {
      invalid: 'The plugin cannot be started; `active` gives the reason, and nothing is changed.',
      permission_denied: 'The body enables or disables the plugin, and the caller is not a superuser.',
    },
    example: { params: { id: 4 }, body: { name: 'InvenTreeLabel', active: true } },
    versioned: true,
    access: pluginConfig.access,
    writes: pluginConfig,
    partial: method === 'PATCH',
    response: responseSchema(pluginConfig),
    async handle(request) {
      const { pk, caller, database, raw } = request
      const { active } = request.body as { active?: boolean }
      const [row] = await database.read<{ key: string; active: boolean }>({
        text: 'select key, active from plugin_config where pk = $1',
        values: [pk],
      })
      if (!row) throw notFound()
      const { active: _, ...rest } = raw
      const change = (tx: Tx) =>
        update(pluginConfig, pk, { ...toWriteRequest({ ...request, tx }), body: rest }, method === 'PATCH')
      if (active === undefined || active === row.active) await database.transaction(change)
      else {
        requireAccess(superuser, caller, 'change')
        await switchPlugins(request, [row.key], active, change)
      }
      return toDetailJson(await readDetail(pluginConfig, pk, new Set(), { caller, services: request, executor: database }))
    },
  })

export const changePluginActions: readonly Procedure[] = [changePlugin('PUT'), changePlugin('PATCH')] as Procedure[]
