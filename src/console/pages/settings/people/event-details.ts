import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { label, language, type PlainKey, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { type Account, formatAccountName } from '../../../kit/service/session.ts'
import { GLOBAL_SETTINGS_PATH, type GlobalSetting } from '../system/global-setting.ts'
import { globalSettingTexts } from '../system/global-setting-texts.ts'
import { getRoleName, RIGHT_KEYS } from './people.ts'

/** A security event, as staff see it. */
export type SecurityEvent = {
  pk: number
  created: string
  kind: string
  user: number | null
  username: string
  actor: number | null
  actor_detail?: Pick<Account, 'username' | 'first_name' | 'last_name'> | null
  address: string
  user_agent: string
  details: Record<string, unknown> | null
}

/** English names of the global settings by key, once they are loaded. */
const settingNames = signal<Readonly<Record<string, string>>>({})

/** Loads the names of the global settings for the details of events. */
export function useSettingNames(): void {
  const { data } = useRead<{ settings: GlobalSetting[] }>({ settings: GLOBAL_SETTINGS_PATH })
  useEffect(() => {
    if (data) settingNames.value = Object.fromEntries(data.settings.body.map(({ key, name }) => [key, name]))
  }, [data])
}

/** A value that an event changed, in the reader's words. */
export type ChangedValue = { name: string; before: string; after: string }

/** A further fact of an event. */
type Fact = { name: string; value: string }

/** Details that are primary keys, which say nothing to a reader. */
const KEYS = new Set(['group', 'invitation', 'pk'])

/** Names of details, where no label of a field fits. */
const NAMES: Readonly<Record<string, PlainKey>> = {
  ...RIGHT_KEYS,
  by: 'people.detail.by',
  by_mail: 'people.send-mail',
  days: 'people.days',
  email: 'field.email',
  first_name: 'account.first-name',
  last_name: 'account.last-name',
  group: 'people.group',
  groups: 'people.groups',
  invited_by: 'people.invited-by',
  is_active: 'people.active',
  is_staff: 'people.staff',
  is_superuser: 'people.superuser',
  members: 'people.members',
  read_only: 'account.read-only',
  role: 'people.role',
  superuser: 'people.superuser',
  template_kind: 'people.detail.template',
}

/** The account that caused an event, if that is another one than its own. */
export const getActorName = ({ user, actor, actor_detail }: SecurityEvent): string =>
  actor_detail && actor !== user ? formatAccountName(actor_detail) : ''

/** Splits the details of an event into the values that it changed, and further facts. */
export function listDetails(details: SecurityEvent['details']): { facts: Fact[]; changes: ChangedValue[] } {
  const facts: Fact[] = []
  const changes: ChangedValue[] = []
  const { key, before, after, ...rest } = details ?? {}
  const words = Object.entries(rest).filter(([name, value]) => !(KEYS.has(name) && typeof value === 'number'))
  // the change of a setting
  if (typeof key === 'string')
    changes.push({ name: nameSetting(key), before: formatValue('', before), after: formatValue('', after) })
  for (const [name, value] of words) {
    if (isChange(value))
      changes.push({ name: getDetailName(name), before: formatValue(name, value.before), after: formatValue(name, value.after) })
    else facts.push({ name: getDetailName(name), value: formatValue(name, value) })
  }
  return { facts, changes }
}

/** Summarizes the details of an event in a line. */
export function summarizeDetails(details: SecurityEvent['details']): string {
  const { facts, changes } = listDetails(details)
  return [...facts.map(({ name, value }) => `${name}: ${value}`), ...changes.map((change) => t('people.change', change))].join(
    ' · ',
  )
}

const isChange = (value: unknown): value is { before: unknown; after: unknown } =>
  typeof value === 'object' && value !== null && 'before' in value && 'after' in value

const getDetailName = (name: string): string => {
  const key = NAMES[name]
  return key ? t(key) : label(name)
}

function formatValue(name: string, value: unknown): string {
  // the token that each sign-in returns
  if (name === 'name' && value === '') return t('account.sign-in-token')
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  // the stored text of a setting that is on or off
  if (value === 'True' || value === 'False') return t(value === 'True' ? 'settings.on' : 'settings.off')
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ')
  if (name === 'role') return getRoleName(String(value))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The name of a global setting in the reader's language; its key for other settings. */
const nameSetting = (key: string): string =>
  (language.value === 'de' && globalSettingTexts[key]?.name) || settingNames.value[key] || key
