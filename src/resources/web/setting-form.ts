import { Type } from 'typebox'
import type { Setting } from '../../settings/setting.ts'
import { getChoices, parseValue, toStoredText } from '../../settings/value.ts'

/** A setting as a page of the console shows it, in either wire form. */
export const settingFormSchema = Type.Object({
  key: Type.String({ description: 'The key of the setting.' }),
  name: Type.String({ description: 'The title.' }),
  description: Type.String({ description: 'What it does.' }),
  type: Type.Union(
    ['boolean', 'integer', 'string', 'choice', 'model'].map((type) => Type.Literal(type)),
    { description: 'The type of its value; `model` for the key of an object.' },
  ),
  units: Type.String({ description: 'The unit of an integer; empty for none.' }),
  min: Type.Union([Type.Integer(), Type.Null()], { description: 'The smallest allowed integer.' }),
  max: Type.Union([Type.Integer(), Type.Null()], { description: 'The largest allowed integer.' }),
  choices: Type.Array(Type.Object({ value: Type.String(), display_name: Type.String() }), {
    description: 'The allowed values; empty if any is allowed.',
  }),
  model: Type.Union([Type.String(), Type.Null()], { description: 'The type of the object, for `model`.' }),
  api_url: Type.Union([Type.String(), Type.Null()], { description: 'The list of these objects.' }),
  value: Type.String({
    description: 'Its value as a text: `True` or `False` for a boolean; empty for a secret, which is never returned.',
  }),
  default: Type.String({ description: 'The value that a reset restores.' }),
  is_changed: Type.Boolean({ description: 'Whether its value differs from the default; for a secret, whether one is stored.' }),
  is_secret: Type.Boolean({ description: 'Whether its value is secret.' }),
  required: Type.Boolean({ description: 'Whether the machine or the plugin needs it in order to work.' }),
})

/** Describes settings with their stored values, in the order of their definition. */
export const describeSettings = (
  settings: Readonly<Record<string, Setting>>,
  rows: readonly { key: string; value: string }[],
  isRequired: (key: string) => boolean,
) => {
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  return Object.entries(settings).map(([key, setting]) => describeSetting(key, setting, stored.get(key), isRequired(key)))
}

function describeSetting(key: string, setting: Setting, stored: string | undefined, required: boolean) {
  const initial = toStoredText(setting.default)
  // the stored value of a choice is shown even if it is no longer among the options
  const value = setting.type === 'choice' ? (stored ?? initial) : toStoredText(parseValue(setting, stored))
  const is_secret = setting.confidential === true
  return {
    key,
    name: setting.name,
    description: setting.description,
    type: setting.type,
    units: ('units' in setting && setting.units) || '',
    min: ('min' in setting ? setting.min : undefined) ?? null,
    max: ('max' in setting ? setting.max : undefined) ?? null,
    choices: [...getChoices(setting)],
    model: 'model' in setting ? setting.model : null,
    api_url: 'apiUrl' in setting ? setting.apiUrl : null,
    value: is_secret ? '' : value,
    default: is_secret ? '' : initial,
    is_changed: value !== initial,
    is_secret,
    required,
  }
}
