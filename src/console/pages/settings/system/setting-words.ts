import { type PlainKey, t } from '../../../kit/language/language.ts'

/** Other words that people search settings for, by the beginning of their keys. */
const WORDS: Readonly<Record<string, PlainKey>> = {
  LOGIN_ENFORCE_MFA: 'search.setting.second-factor',
  LOGIN_ENABLE_REG: 'search.setting.registration',
  LOGIN_SIGNUP: 'search.setting.registration',
  SIGNUP_GROUP: 'search.setting.registration',
  LOGIN_ENABLE_SSO: 'search.setting.single-sign-on',
  INVENTREE_BACKUP: 'search.setting.backup',
  INVENTREE_DEFAULT_CURRENCY: 'search.setting.currency',
  CURRENCY_: 'search.setting.currency',
  PURCHASEORDER_: 'search.setting.purchase',
  SALESORDER_: 'search.setting.sales',
  RETURNORDER_: 'search.setting.returns',
  BUILDORDER_: 'search.setting.builds',
  STOCK_ENABLE_EXPIRY: 'search.setting.expiry',
  STOCK_STALE_DAYS: 'search.setting.expiry',
}

/** The other words for a setting, in the reader's language. */
export const listSettingWords = (key: string): string =>
  Object.entries(WORDS)
    .filter(([beginning]) => key.startsWith(beginning))
    .map(([, words]) => t(words))
    .join(', ')
