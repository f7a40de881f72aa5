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

/** Every setting of the installation. Rows of a new database are created in this order. */
export const globalSettings = {
  ...serverSettings,
  ...partSettings,
  ...pricingSettings,
  ...printingSettings,
  ...stockSettings,
  ...orderSettings,
  ...accountSettings,
  ...pluginSettings,
} satisfies Settings

/** Every setting that each account has for itself. */
export const userSettings = { ...homeSettings, ...searchSettings, ...displaySettings } satisfies Settings

export type GlobalKey = keyof typeof globalSettings
export type UserKey = keyof typeof userSettings
/** The type of the value of each global key. */
export type GlobalValues = ValuesOf<typeof globalSettings>
/** The type of the value of each user key. */
export type UserValues = ValuesOf<typeof userSettings>

/** The definition of a global setting. */
export const globalSetting = <Key extends GlobalKey>(key: Key): (typeof globalSettings)[Key] => globalSettings[key]

/** The definition of a user setting. */
export const userSetting = <Key extends UserKey>(key: Key): (typeof userSettings)[Key] => userSettings[key]

/** Keys that start with an underscore are the service's own: neither listed nor found. */
export const isServed = (key: string): boolean => !key.startsWith('_')

/** The served setting of that key, whatever the case of its letters. */
export function findSetting(settings: Settings, key: string): { key: string; setting: Setting } | undefined {
  const known = key.toUpperCase()
  const setting = isServed(known) && Object.hasOwn(settings, known) ? settings[known] : undefined
  return setting && { key: known, setting }
}
