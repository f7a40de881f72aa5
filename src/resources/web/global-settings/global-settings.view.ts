import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { staff } from '../../../kit/request/caller.ts'
import type { LiveSettings } from '../../../settings/live.ts'
import { type GlobalKey, globalSetting, listAreaKeys, SETTING_AREAS, type SettingArea } from '../../../settings/registry.ts'
import type { Setting } from '../../../settings/setting.ts'
import { getChoices, parseValue, toStoredText } from '../../../settings/value.ts'

const response = Type.Object({
  key: Type.String({ description: 'The key of the setting, as in `/api/settings/global/{key}/`, which changes it.' }),
  area: Type.Union(
    SETTING_AREAS.map((area) => Type.Literal(area)),
    { description: 'What the setting is about.' },
  ),
  name: Type.String({ description: 'The title.' }),
  description: Type.String({ description: 'What it does, with the meaning of 0 and of an empty value.' }),
  type: Type.Union(
    ['boolean', 'integer', 'string', 'choice'].map((type) => Type.Literal(type)),
    { description: 'The type of its value.' },
  ),
  units: Type.String({ description: 'The unit of an integer; empty for none.' }),
  min: Type.Union([Type.Integer(), Type.Null()], { description: 'The smallest allowed integer.' }),
  max: Type.Union([Type.Integer(), Type.Null()], { description: 'The largest allowed integer.' }),
  choices: Type.Array(Type.Object({ value: Type.String(), display_name: Type.String() }), {
    description: 'The allowed values; empty if any is allowed.',
  }),
  value: Type.String({ description: 'Its value as a text: `True` or `False` for a boolean; `***` for a secret.' }),
  default: Type.String({ description: 'The value that a reset restores.' }),
  is_changed: Type.Boolean({ description: 'Whether its value differs from the default.' }),
  used_by: Type.Union(
    ['service', 'console', 'clients'].map((reader) => Type.Literal(reader)),
    { description: 'The code that it affects: the service, the web console, or only other clients.' },
  ),
  is_for_superusers: Type.Boolean({ description: 'Whether only a superuser can change it.' }),
})

/** The global settings as their page in the console shows them. */
export const listGlobalSettings = view({
  path: '/api/web/global-settings/',
  summary: 'List the global settings by area',
  description:
    'All global settings with their areas, types, limits and defaults, and the code that each affects. Change one with `PATCH /api/settings/global/{key}/`.',
  access: staff,
  response: Type.Array(response),
  read: ({ settings }) => {
    const { storedTexts, choices } = settings as LiveSettings
    return SETTING_AREAS.flatMap((area) =>
      listAreaKeys(area).map((key) => describeSetting(key, area, globalSetting(key), storedTexts.get(key), choices)),
    )
  },
})

function describeSetting(
  key: GlobalKey,
  area: SettingArea,
  setting: Setting,
  stored: string | undefined,
  choices: LiveSettings['choices'],
) {
  // a generated value has no default to return to
  const isGenerated = setting.type === 'string' && setting.generate !== undefined
  const initial = isGenerated ? (stored ?? '') : toStoredText(setting.default)
  // the stored value of a choice is shown even if it is no longer among the options, as in the list of settings
  const value = setting.type === 'choice' ? (stored ?? initial) : toStoredText(parseValue(setting, stored))
  return {
    key,
    area,
    name: setting.name,
    description: setting.description,
    type: setting.type,
    units: ('units' in setting && setting.units) || '',
    min: ('min' in setting ? setting.min : undefined) ?? null,
    max: ('max' in setting ? setting.max : undefined) ?? null,
    choices: getChoices(setting, choices),
    value: setting.confidential ? '***' : value,
    default: initial,
    is_changed: value !== initial,
    used_by: setting.usedBy ?? 'service',
    is_for_superusers: setting.superuserOnly === true,
  }
}
