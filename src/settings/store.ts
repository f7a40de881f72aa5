import type { RunQuery } from '../kit/sql/run-query.ts'
import { type GlobalValues, globalSettings, isServed, userSettings } from './registry.ts'
import type { Setting, Settings } from './setting.ts'
import { parseValue, toStoredText } from './value.ts'

/** A stored setting. */
export type SettingRow = { pk: number; key: string; value: string }

/** Owner of a setting. */
export type Owner = { typ: 'inventree' | 'notification' | 'plugin' | 'machine_config' } | { typ: 'user' | 'plugin'; user: number }

/** The stored settings of the installation, of one account, of one plugin, or of one machine. */
export type SettingStore = {
  readonly settings: Settings
  readonly owner: Owner
  /** Reads all rows in order of creation; missing ones are created with their defaults. */
  all(): Promise<SettingRow[]>
  /** Reads the row of a known key, which is created with its default if missing. */
  row(key: string): Promise<SettingRow>
  /** Stores a value for a known key. */
  save(key: string, text: string): Promise<SettingRow>
}

type Statements = Record<'all' | 'row' | 'update' | 'insert' | 'insertMissing', string>

// Rows are read before they are inserted: an insert with a conflict would use up a primary key, and turn a read into a write. Only two
// concurrent requests that miss the same row can conflict.
const globalStatements: Statements = {
  all: `select pk, key, value from setting order by pk`,
  row: `select pk, key, value from setting where key = $1`,
  update: `update setting set value = $2 where key = $1 returning pk, key, value`,
  insert: `insert into setting (key, value) values ($1, $2)
    on conflict (key) do update set value = case when $3 then excluded.value else setting.value end returning pk, key, value`,
  insertMissing: `insert into setting (key, value)
    select key, value from unnest($1::text[], $2::text[]) with ordinality as missing (key, value, ordinal) order by ordinal
    on conflict (key) do nothing`,
}

const userStatements: Statements = {
  all: `select pk, key, value from user_setting where "user" = $1 order by pk`,
  row: `select pk, key, value from user_setting where "user" = $1 and key = $2`,
  update: `update user_setting set value = $3 where "user" = $1 and key = $2 returning pk, key, value`,
  insert: `insert into user_setting ("user", key, value) values ($1, $2, $3)
    on conflict (key, "user") do update set value = case when $4 then excluded.value else user_setting.value end returning pk, key, value`,
  insertMissing: `insert into user_setting ("user", key, value)
    select $1, key, value from unnest($2::text[], $3::text[]) with ordinality as missing (key, value, ordinal) order by ordinal
    on conflict (key, "user") do nothing`,
}

const pluginStatements: Statements = {
  all: `select pk, key, value from plugin_setting where plugin = $1 order by pk`,
  row: `select pk, key, value from plugin_setting where plugin = $1 and key = $2`,
  update: `update plugin_setting set value = $3 where plugin = $1 and key = $2 returning pk, key, value`,
  insert: `insert into plugin_setting (plugin, key, value) values ($1, $2, $3)
    on conflict (plugin, key) do update set value = case when $4 then excluded.value else plugin_setting.value end returning pk, key, value`,
  insertMissing: `insert into plugin_setting (plugin, key, value)
    select $1, key, value from unnest($2::text[], $3::text[]) with ordinality as missing (key, value, ordinal) order by ordinal
    on conflict (plugin, key) do nothing`,
}

const pluginUserStatements: Statements = {
  all: `select pk, key, value from plugin_user_setting where plugin = $1 and "user" = $2 order by pk`,
  row: `select pk, key, value from plugin_user_setting where plugin = $1 and "user" = $2 and key = $3`,
  update: `update plugin_user_setting set value = $4 where plugin = $1 and "user" = $2 and key = $3 returning pk, key, value`,
  insert: `insert into plugin_user_setting (plugin, "user", key, value) values ($1, $2, $3, $4)
    on conflict (plugin, "user", key) do update set value = case when $5 then excluded.value else plugin_user_setting.value end
    returning pk, key, value`,
  insertMissing: `insert into plugin_user_setting (plugin, "user", key, value)
    select $1, $2, key, value from unnest($3::text[], $4::text[]) with ordinality as missing (key, value, ordinal) order by ordinal
    on conflict (plugin, "user", key) do nothing`,
}

const machineStatements: Statements = {
  all: `select pk, key, value from machine_setting where machine = $1 and config_type = $2 order by pk`,
  row: `select pk, key, value from machine_setting where machine = $1 and config_type = $2 and key = $3`,
  update: `update machine_setting set value = $4 where machine = $1 and config_type = $2 and key = $3 returning pk, key, value`,
  insert: `insert into machine_setting (machine, config_type, key, value) values ($1, $2, $3, $4)
    on conflict (machine, config_type, key) do update set value = case when $5 then excluded.value else machine_setting.value end
    returning pk, key, value`,
  insertMissing: `insert into machine_setting (machine, config_type, key, value)
    select $1, $2, key, value from unnest($3::text[], $4::text[]) with ordinality as missing (key, value, ordinal) order by ordinal
    on conflict (machine, config_type, key) do nothing`,
}

/** The settings of the installation. */
export const globalStore = (query: RunQuery): SettingStore =>
  createStore(query, globalSettings, { typ: 'inventree' }, globalStatements, [])

/** The settings of one account. */
export const userStore = (query: RunQuery, user: number): SettingStore =>
  createStore(query, userSettings, { typ: 'user', user }, userStatements, [user])

/** The settings of a plugin, by its primary key. */
export const pluginStore = (query: RunQuery, settings: Settings, plugin: number): SettingStore =>
  createStore(query, settings, { typ: 'plugin' }, pluginStatements, [plugin])

/** The settings that an account has for itself in a plugin. */
export const pluginUserStore = (query: RunQuery, settings: Settings, plugin: number, user: number): SettingStore =>
  createStore(query, settings, { typ: 'plugin', user }, pluginUserStatements, [plugin, user])

/** The settings of a machine's type (`M`), or of its driver (`D`). */
export const machineStore = (query: RunQuery, settings: Settings, machine: number, kind: string): SettingStore =>
  createStore(query, settings, { typ: 'machine_config' }, machineStatements, [machine, kind])

function createStore(
  query: RunQuery,
  settings: Settings,
  owner: Owner,
  statements: Statements,
  ownerKeys: unknown[],
): SettingStore {
  const servedSettings = Object.entries(settings).filter(([key]) => isServed(key))
  const run = (statement: keyof Statements, ...values: unknown[]) =>
    query<SettingRow>(statements[statement], [...ownerKeys, ...values])
  const insert = async (key: string, text: string, replace: boolean) => (await run('insert', key, text, replace))[0] as SettingRow
  const getDefaultValue = (setting: Setting | undefined) =>
    setting?.type === 'string' && setting.generate ? setting.generate() : toStoredText(setting?.default ?? null)

  return {
    settings,
    owner,
    async all() {
      const rows = await run('all')
      const stored = new Set(rows.map((row) => row.key))
      const missing = servedSettings.filter(([key]) => !stored.has(key))
      if (missing.length === 0) return rows
      await run(
        'insertMissing',
        missing.map(([key]) => key),
        missing.map(([, setting]) => getDefaultValue(setting)),
      )
      return await run('all')
    },
    async row(key) {
      return (await run('row', key))[0] ?? (await insert(key, getDefaultValue(settings[key]), false))
    },
    async save(key, text) {
      return (await run('update', key, text))[0] ?? (await insert(key, text, true))
    },
  }
}

/** A snapshot of the values, each in its own type; a key without a row has its default. */
export type SettingsSnapshot<Values> = { get<Key extends keyof Values>(key: Key): Values[Key] }

/** Parses rows into values. */
export function snapshot<Values>(settings: Settings, rows: readonly SettingRow[]): SettingsSnapshot<Values> {
  const stored = new Map(rows.map((row) => [row.key, row.value]))
  const values = new Map<unknown, unknown>()
  for (const [key, setting] of Object.entries(settings)) values.set(key, parseValue(setting, stored.get(key)))
  return { get: (key) => values.get(key) as Values[typeof key] }
}

export type GlobalSnapshot = SettingsSnapshot<GlobalValues>
