import type { Choice } from './choices.ts'
import { getNewerKey } from './registry.ts'
import type { Setting } from './setting.ts'
import type { Owner, SettingRow } from './store.ts'
import { getChoices, parseValue, type SettingContext, toStoredText } from './value.ts'

/** Wire form of a setting; `user` only for the settings of an account. */
export type WireSetting = {
  pk: number
  key: string
  value: string | boolean | number
  name: string
  description: string
  user?: number
  type: 'boolean' | 'integer' | 'string' | 'related field'
  units: string
  choices: string | readonly Choice[]
  model_name: string | null
  api_url: string | null
  typ: Owner['typ']
  read_only?: boolean
  confirm?: boolean
  confirm_text?: string
}

/**
 * Converts a row to its wire form. A row whose setting no longer exists (of an imported database) is a plain string. Options and references
 * are strings, or a list and null for InvenTree clients (docs/configuration.md#wire-form).
 */
export function toWireSetting(row: SettingRow, setting: Setting | undefined, owner: Owner, context: SettingContext): WireSetting {
  const choices = setting ? getChoices(setting, context.choices) : []
  const usesStrings = !context.wire.settingChoicesAsLists
  const none = usesStrings ? '' : null
  return {
    pk: row.pk,
    key: context.wire.extendedFields ? getNewerKey(row.key) : row.key,
    value: setting ? toWireValue(setting, row.value, context) : row.value,
    name: setting?.name ?? '',
    description: setting?.description ?? '',
    ...('user' in owner ? { user: owner.user } : {}),
    type: setting ? getWireType(setting) : 'string',
    units: setting && 'units' in setting ? (setting.units ?? '') : '',
    choices: usesStrings ? JSON.stringify(choices) : choices,
    model_name: setting?.type === 'model' ? setting.model : none,
    api_url: setting?.type === 'model' ? setting.apiUrl : none,
    typ: owner.typ,
    ...(context.wire.extendedFields && { ...('user' in owner ? {} : { read_only: false }), confirm: false, confirm_text: '' }),
  }
}

function toWireValue(setting: Setting, stored: string, { wire }: SettingContext): string | boolean | number {
  if (setting.confidential) return '***'
  if (wire.typedSettings && (setting.type === 'boolean' || setting.type === 'integer'))
    return (parseValue(setting, stored) as boolean | number | null) ?? ''
  // A choice is returned as stored even if its list no longer has it: otherwise an edit form would show a wrong value.
  return setting.type === 'choice' ? stored : toStoredText(parseValue(setting, stored))
}

/** Returns the type on the wire. Choices are strings there: clients check `choices`. */
function getWireType(setting: Setting): WireSetting['type'] {
  if (setting.type === 'boolean' || setting.type === 'integer') return setting.type
  return setting.type === 'model' ? 'related field' : 'string'
}
