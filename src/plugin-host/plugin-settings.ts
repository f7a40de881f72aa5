import { queryThrough, type RunQuery } from '../kit/sql/run-query.ts'
import type { Database } from '../kit/sql/tx.ts'
import type { SettingDefinition, SettingDefinitions } from '../plugin-api/index.ts'
import type { Setting, Settings } from '../settings/setting.ts'
import { parseValue } from '../settings/value.ts'

const settingsCache = new WeakMap<SettingDefinitions, Settings>()

/** Converts the settings that a plugin declares to definitions of the service. */
export function toSettings(definitions: SettingDefinitions): Settings {
  const parsedSettings =
    settingsCache.get(definitions) ??
    Object.fromEntries(Object.entries(definitions).map(([key, definition]) => [key, toSetting(definition)]))
  settingsCache.set(definitions, parsedSettings)
  return parsedSettings
}

function toSetting(definition: SettingDefinition): Setting {
  const { name, description, protected: confidential = false } = definition
  const described = { name, description, confidential }
  switch (definition.type) {
    case 'boolean':
      return { ...described, type: 'boolean', default: definition.default }
    case 'integer': {
      const { min, max, units } = definition
      return { ...described, type: 'integer', default: definition.default, min, max, units }
    }
    case 'string':
      return { ...described, type: 'string', default: definition.default }
    case 'choice':
      return { ...described, type: 'choice', default: definition.default, choices: definition.choices }
    case 'model':
      return { ...described, type: 'model', default: null, model: definition.model, apiUrl: definition.apiUrl }
  }
}

/**
 * Reads the current value of a plugin's setting, in the setting's own type.
 * @throws Error for an unknown setting
 */
export async function readPluginSetting(query: RunQuery, plugin: string, settings: Settings, key: string): Promise<unknown> {
  const setting = requireSetting(settings, key)
  return parseValue(setting, (await readAll(query, plugin)).get(key))
}

/** @throws Error for an unknown setting */
function requireSetting(settings: Settings, key: string): Setting {
  const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
  if (!setting) throw new Error(`unknown setting ${key}`)
  return setting
}

/** Stored values of a plugin's settings, by key. */
type StoredValues = ReadonlyMap<string, string>

async function readAll(query: RunQuery, plugin: string): Promise<StoredValues> {
  const rows = await query<{ key: string; value: string }>(
    'select s.key, s.value from plugin_setting s join plugin_config p on p.pk = s.plugin where p.key = $1',
    [plugin],
  )
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/** PostgreSQL channel that announces changes of plugin settings. */
export const PLUGIN_SETTINGS_CHANNEL = 'plugin_settings'

/**
 * Cache of plugin settings, for the calls in which plugins read them. Invalidated after each change: by the request that made it before it
 * responds, on other nodes as soon as the database announces it. While the listener is disconnected nothing is cached.
 */
export class PluginSettings {
  readonly #read: RunQuery
  /** Whether the listener is connected. */
  readonly #isListening: () => boolean
  readonly #cache = new Map<string, StoredValues>()
  /** Number of invalidations: values being read during one are not cached. */
  #generation = 0

  constructor(database: Database, isListening: () => boolean) {
    this.#read = queryThrough({ database })
    this.#isListening = isListening
  }

  invalidate(): void {
    this.#generation++
    this.#cache.clear()
  }

  /**
   * Returns the current value of a plugin's setting, in the setting's own type.
   * @throws Error for an unknown setting
   */
  async getValue(plugin: string, settings: Settings, key: string): Promise<unknown> {
    const setting = requireSetting(settings, key)
    return parseValue(setting, (await this.#readStored(plugin)).get(key))
  }

  /**
   * Reads the current value of a setting that an account has for itself, in the setting's own type.
   * @param reader a connection inside a write, which sees its uncommitted values
   * @throws Error for an unknown setting
   */
  async readUserValue(
    plugin: string,
    account: number,
    settings: Settings,
    key: string,
    reader?: Parameters<typeof queryThrough>[0]['database'],
  ): Promise<unknown> {
    const setting = requireSetting(settings, key)
    const query = reader ? queryThrough({ database: reader }) : this.#read
    const [row] = await query<{ value: string }>(
      `select s.value from plugin_user_setting s join plugin_config p on p.pk = s.plugin
       where p.key = $1 and s."user" = $2 and s.key = $3`,
      [plugin, account, key],
    )
    return parseValue(setting, row?.value)
  }

  async #readStored(plugin: string): Promise<StoredValues> {
    const cachedSettings = this.#isListening() ? this.#cache.get(plugin) : undefined
    if (cachedSettings) return cachedSettings
    const generation = this.#generation
    const stored = await readAll(this.#read, plugin)
    if (this.#isListening() && generation === this.#generation) this.#cache.set(plugin, stored)
    return stored
  }
}
