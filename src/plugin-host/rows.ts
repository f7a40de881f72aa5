import type { Database, Tx } from '../kit/sql/tx.ts'

/** A plugin's row in the database. */
export type PluginRow = { pk: number; key: string; active: boolean; activated_by: number | null }

/** Reads the enabled plugins and the number of requested reloads in one snapshot. */
export async function readPlugins(database: Database): Promise<{ rows: PluginRow[]; reloads: number }> {
  const [row] = await database.read<{ rows: PluginRow[]; reloads: number }>({
    text: `select reloads, (
        select coalesce(json_agg(json_build_object('pk', pk, 'key', key, 'active', active, 'activated_by', activated_by)), '[]')
        from plugin_config
      ) as rows from plugin_registry`,
  })
  return row ?? { rows: [], reloads: 0 }
}

/** A newly discovered plugin. */
export type NewPlugin = { key: string; name: string; packageName: string | null; active: boolean }

/** Creates the rows of plugins that have none, in this order. */
export async function addPlugins(database: Database, plugins: readonly NewPlugin[]): Promise<void> {
  await database.transaction(async (tx) => {
    const existingKeys = new Set((await tx.query<{ key: string }>('select key from plugin_config')).map(({ key }) => key))
    // one after the other: a conflict with another node only wastes a primary key
    for (const { key, name, packageName, active } of plugins.filter((plugin) => !existingKeys.has(plugin.key)))
      await tx.query(
        'insert into plugin_config (key, name, package_name, active) values ($1, $2, $3, $4) on conflict (key) do nothing',
        [key, name, packageName, active],
      )
  })
}

/** Enables or disables plugins in the database: the other nodes follow after the commit. */
export const storeActive = (tx: Tx, keys: readonly string[], active: boolean, account: number | null) =>
  tx.query(
    `update plugin_config set active = $2, activated_by = case when $2 then $3::integer else activated_by end
     where key = any($1) and (active <> $2 or $2 and activated_by is distinct from $3::integer)`,
    [keys, active, account],
  )

/** Stores the name of a plugin from its manifest, unless it was renamed. */
export const storeName = (tx: Tx, key: string, name: string) =>
  tx.query('update plugin_config set name = $2 where key = $1 and name = key and name <> $2', [key, name])

/** Makes every node reload all plugins. @returns the number of reloads requested so far */
export async function incrementReloadCount(database: Database): Promise<number> {
  const [row] = await database.read<{ reloads: number }>({
    text: 'update plugin_registry set reloads = reloads + 1 returning reloads',
  })
  return row?.reloads ?? 0
}
