import { getCurrencyName, language, t } from '../../../kit/language/language.ts'
import { change } from '../../../kit/service/api.ts'
import { announceSetting } from '../../../kit/service/session.ts'
import { nameBuiltIn } from '../plugins/plugin.ts'
import { isSuperuser } from '../settings-pages.ts'
import { globalSettingTexts } from './global-setting-texts.ts'
import { listSettingWords } from './setting-words.ts'

/** A global setting, as in `/api/web/global-settings/`. */
export type GlobalSetting = {
  key: string
  area: 'server' | 'part' | 'pricing' | 'printing' | 'stock' | 'order' | 'account' | 'plugin'
  name: string
  description: string
  type: 'boolean' | 'integer' | 'string' | 'choice'
  units: string
  min: number | null
  max: number | null
  choices: readonly { value: string; display_name: string }[]
  /** A text: `True` or `False` for a boolean. */
  value: string
  default: string
  is_changed: boolean
  used_by: 'service' | 'console' | 'clients'
  is_for_superusers: boolean
}

/** The list of global settings. */
export const GLOBAL_SETTINGS_PATH = '/api/web/global-settings/'

/** The name and the description of a setting in the reader's language; in English if there is no translation. */
export const describeSetting = ({
  key,
  name,
  description,
}: Pick<GlobalSetting, 'key' | 'name' | 'description'>): { name: string; description: string } =>
  (language.value === 'de' && globalSettingTexts[key]) || { name, description }

/** Whether the account can change a setting. */
export const canChangeSetting = (setting: Partial<Pick<GlobalSetting, 'is_for_superusers'>>): boolean =>
  !setting.is_for_superusers || isSuperuser()

/** Stores the value of a setting; resolves when it has taken effect in this window as well. @throws ApiError with the error of the value */
export async function saveSetting(key: string, value: string): Promise<void> {
  await change(`/api/settings/global/${key}/`, { value }, undefined)
  await announceSetting()
}

type ChoiceOwner = { key: string; choices: GlobalSetting['choices'] }

/** The name of a choice of a setting in the reader's language; '' for none. */
export function nameChoice({ key, choices }: ChoiceOwner, value: string): string {
  const name = choices.find((choice) => choice.value === value)?.display_name ?? value
  if (key === 'INVENTREE_DEFAULT_CURRENCY') return `${getCurrencyName(value)} (${value})`
  if (key === 'CURRENCY_UPDATE_PLUGIN') return value === '' ? t('currencies.no-plugin') : nameBuiltIn(value, name)
  return name
}

/** The unit of a setting in the reader's language. */
export const nameUnits = (units: string): string => (units === 'days' ? t('settings.days') : units)

/** The value of a setting as people read it. */
export function formatSettingValue(setting: ChoiceOwner & { type: string }, value: string): string {
  const { type } = setting
  if (type === 'boolean') return t(value === 'True' ? 'settings.on' : 'settings.off')
  if (value === '') return t('settings.empty')
  return nameChoice(setting, value)
}

/** Whether a setting matches all words of a search, in either language. */
export function matchesSearch(setting: GlobalSetting, words: readonly string[]): boolean {
  const { name, description } = describeSetting(setting)
  const texts = [setting.key, setting.name, setting.description, name, description, listSettingWords(setting.key)]
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}
