import { Type } from 'typebox'
import { procedure } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { invalidObject, notFound } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { pluginErrors } from '../../../plugin-host/plugin-errors.ts'
import { getRegistry, recordPluginChange } from '../plugin-registry.ts'

const uninstall = (method: 'PUT' | 'PATCH') =>
  procedure({
    method,
    path: '/api/plugins/{id}/uninstall/',
    summary: 'Uninstall a plugin',
    description:
      'Uninstalls the package of a plugin, which must be disabled, from all nodes. With `delete_config` its configuration and settings are deleted; otherwise they are used again after a new installation. `PLUGINS_INSTALL_ENABLED` controls whether it is allowed.',
    errors: { invalid: 'The plugin is enabled, or was not installed as a package; or uninstalling is not allowed.' },
    example: { params: { id: 6 }, body: { delete_config: true }, status: 400 },
    access: superuser,
    body: {
      delete_config: input.boolean({
        default: true,
        label: 'Delete configuration',
        help: 'Whether to delete the configuration and the settings of the plugin.',
      }),
    },
    response: Type.Object({ delete_config: Type.Boolean({ description: 'Whether they were deleted.' }) }),
    async handle(request) {
      const { config, database, plugins, pk, body } = request
      const { delete_config = true } = body
      const registry = getRegistry({ plugins })
      await database.transaction(async (tx) => {
        const row = await tx.first<{ key: string; active: boolean }>(
          'select key, active from plugin_config where pk = $1 for no key update',
          [pk],
        )
        if (!row) throw notFound()
        if (!config.pluginsInstallEnabled) throw invalidObject(pluginErrors.plugin_uninstalling_disabled)
        if (row.active) throw invalidObject(pluginErrors.plugin_active_uninstall)
        if (!(await deletePackageRow(tx, row.key)))
          throw invalidObject(
            registry.keys.includes(row.key) ? pluginErrors.plugin_not_packaged : pluginErrors.plugin_not_in_registry,
          )
        await recordPluginChange({ ...request, tx }, { plugin: row.key, uninstalled: true })
        if (delete_config) await tx.query('delete from plugin_config where pk = $1', [pk])
      })
      await registry.followDatabase()
      return { delete_config }
    },
  })

async function deletePackageRow(tx: Tx, key: string): Promise<boolean> {
  return (await tx.first('delete from plugin_package where key = $1 returning pk', [key])) !== undefined
}

export const uninstallActions = [uninstall('PUT'), uninstall('PATCH')]
