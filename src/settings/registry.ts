import { accountSettings } from './global/account.definitions.ts'
import { orderSettings } from './global/order.definitions.ts'
import { partSettings } from './global/part.definitions.ts'
import { pluginSettings } from './global/plugin.definitions.ts'
import { pricingSettings } from './global/pricing.definitions.ts'
import { printingSettings } from './global/printing.definitions.ts'
import { serverSettings } from './global/server.definitions.ts'
import { stockSettings } from './global/stock.definitions.ts'
import type { Setting, Settings, ValuesOf } from './setting.ts'
import { displaySettings } from './user/display.definitions.ts'
import { homeSettings } from './user/home.definitions.ts'
import { searchSettings } from './user/search.definitions.ts'

/** The global settings by area: what they are about. */
const AREAS = {
  server: serverSettings,
  part: partSettings,
  pricing: pricingSettings,
  printing: printingSettings,
  stock: stockSettings,
  order: orderSettings,
  account: accountSettings,
  plugin: pluginSettings,
} satisfies Record<string, Settings>

/** An area of the global settings: a section of them in user interfaces. */
export type SettingArea = keyof typeof AREAS

/** All areas, in their order. */
export const SETTING_AREAS = Object.keys(AREAS) as SettingArea[]

/** The keys of an area that are public, in their order. */
export const listAreaKeys = (area: SettingArea): GlobalKey[] => (Object.keys(AREAS[area]) as GlobalKey[]).filter(isServed)

/** All global settings. Rows of a new database are created in this order. */
export const globalSettings = {
  ...AREAS.server,
  ...AREAS.part,
  ...AREAS.pricing,
  ...AREAS.printing,
  ...AREAS.stock,
  ...AREAS.order,
  ...AREAS.account,
  ...AREAS.plugin,
} satisfies Settings

/** All settings of an account. */
export const userSettings = { ...homeSettings, ...searchSettings, ...displaySettings } satisfies Settings

export type GlobalKey = keyof typeof globalSettings
export type UserKey = keyof typeof userSettings
/** Value types of the global settings, by key. */
export type GlobalValues = ValuesOf<typeof globalSettings>
/** Value types of the user settings, by key. */
export type UserValues = ValuesOf<typeof userSettings>

/** The definition of a global setting. */
export const globalSetting = <Key extends GlobalKey>(key: Key): (typeof globalSettings)[Key] => globalSettings[key]

/** The definition of a user setting. */
export const userSetting = <Key extends UserKey>(key: Key): (typeof userSettings)[Key] => userSettings[key]

/** Whether a key is public: keys with a leading underscore belong to the service, and are neither listed nor found. */
export const isServed = (key: string): boolean => !key.startsWith('_')

/** Settings that InvenTree renamed, by their newer names: clients find them by either. */
const RENAMED_SETTINGS: Readonly<Record<string, string>> = { PARAMETER_ENFORCE_UNITS: 'PART_PARAMETER_ENFORCE_UNITS' }

const NEWER_NAMES = new Map(Object.entries(RENAMED_SETTINGS).map(([name, key]) => [key, name]))

/** The key of a setting for clients of API 530. */
export const getNewerKey = (key: string): string => NEWER_NAMES.get(key) ?? key

/** Finds the public setting with a key, ignoring case. */
export function findSetting(settings: Settings, key: string): { key: string; setting: Setting } | undefined {
  const ownKey = key.toUpperCase()
  const upperKey = RENAMED_SETTINGS[ownKey] ?? ownKey
  const setting = isServed(upperKey) && Object.hasOwn(settings, upperKey) ? settings[upperKey] : undefined
  return setting && { key: upperKey, setting }
}
