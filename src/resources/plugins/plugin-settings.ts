import type { RunQuery } from '../../kit/sql/run-query.ts'
import type { SettingDefinition, SettingDefinitions } from '../../plugin-api/index.ts'
import type { Setting, Settings } from '../settings/setting.ts'
import { parseValue } from '../settings/value.ts'

const known = new WeakMap<SettingDefinitions, Settings>()

/** The settings that a plugin says it has, as the service defines settings. */
export function settingsOf(definitions: SettingDefinitions): Settings {
  const made =
    known.get(definitions) ?? Object.fromEntries(Object.entries(definitions).map(([key, given]) => [key, settingOf(given)]))
  known.set(definitions, made)
  return made
}

function settingOf(given: SettingDefinition): Setting {
  const { name, description, protected: confidential = false } = given
  const described = { name, description, confidential }
  switch (given.type) {
    case 'boolean':
      return { ...described, type: 'boolean', default: given.default }
    case 'integer': {
      const { min, max, units } = given
      return { ...described, type: 'integer', default: given.default, min, max, units }
    }
    case 'string':
      return { ...described, type: 'string', default: given.default }
    case 'choice':
      return { ...described, type: 'choice', default: given.default, choices: given.choices }
    case 'model':
      return { ...described, type: 'model', default: null, model: given.model, apiUrl: given.apiUrl }
  }
}

/**
 * The value of a plugin's setting as it is now, of the setting's own type.
 * @throws Error when it has no such setting
 */
export async function readPluginSetting(query: RunQuery, plugin: string, settings: Settings, key: string): Promise<unknown> {
  const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
  if (!setting) throw new Error(`there is no setting ${key}`)
  const [row] = await query<{ value: string }>(
    'select s.value from plugin_setting s join plugin_config p on p.pk = s.plugin where p.key = $1 and s.key = $2',
    [plugin, key],
  )
  return parseValue(setting, row?.value)
}
