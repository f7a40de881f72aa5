import { computed, signal } from '@preact/signals'
import { en, type Words } from '../../languages/en.ts'
import { getPriceDecimals } from '../values/price-decimals.ts'
import { getReadings, readNumber } from '../values/typed-number.ts'
import { createTranslator, type ServiceError, type ServiceTexts, translateError } from './service-texts.ts'

export type { ServiceError } from './service-texts.ts'

/** A key of the language files. */
export type Key = keyof Words

/** The names of the placeholders in a text: `{name}`. */
type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never
type Values<K extends Key> = { [Name in Placeholders<Words[K]>]: string | number }

/** A key of a text without placeholders. */
export type PlainKey = { [K in Key]: Placeholders<Words[K]> extends never ? K : never }[Key]

/** The available languages; each is in src/console/languages. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

const loadTexts: Record<Language, () => Promise<Record<Key, string>>> = {
  en: async () => en,
  de: async () => (await import('../../languages/de.ts')).de,
}

/** Loaders of translations for the service's texts: in English only of texts that the API words for programs, in other languages of all. */
const loadServiceTexts: Record<Language, () => Promise<ServiceTexts>> = {
  en: async () => (await import('../../languages/en/service-texts.ts')).serviceTexts,
  de: async () => (await import('../../languages/de/service-texts.ts')).serviceTexts,
}
const NO_SERVICE_TEXTS: ServiceTexts = { help: {}, fields: {}, errors: {}, notifications: {} }

const texts = signal<Record<Key, string>>(en)
const serviceTexts = signal(NO_SERVICE_TEXTS)

/** The current language. */
export const language = signal<Language>('en')

/** Locales selectable for number and date formats, by language, because month names depend on the language. */
const REGIONS: Readonly<Record<Language, readonly string[]>> = {
  en: ['en-GB', 'en-US', 'en-CA', 'en-AU'],
  de: ['de-DE', 'de-AT', 'de-CH'],
}

/** The locales of the current language that can be selected for numbers and dates. */
export const listRegions = (): readonly string[] => REGIONS[language.value]

/** The name of a locale's country. */
export const getRegionName = (tag: string): string =>
  new Intl.DisplayNames(language.value, { type: 'region' }).of(tag.split('-')[1] as string) ?? tag

/** Browser storage key of the selected number and date format. */
const REGION_STORAGE_KEY = 'stockroom.region'

/** The selected locale for numbers and dates; empty for that of the browser. */
const selectedRegion = signal('')

/** The same, if it belongs to the current language. */
export const region = computed(() => (listRegions().includes(selectedRegion.value) ? selectedRegion.value : ''))

/** Changes the number and date format, and stores the choice. @param tag a locale of `listRegions`; empty for that of the browser */
export function selectRegion(tag: string): void {
  if (tag === '') localStorage.removeItem(REGION_STORAGE_KEY)
  else localStorage.setItem(REGION_STORAGE_KEY, tag)
  selectedRegion.value = tag
}

/** Locale for numbers, money and dates: the selected one, the browser's if it has the same language, otherwise the language itself. */
const locale = computed(
  () =>
    region.value || (navigator.languages.find((tag) => tag.split('-')[0] === language.value && isLocale(tag)) ?? language.value),
)

/** Whether a string is a valid locale: some browsers request invalid ones, such as `en-US@posix`. */
function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0
  } catch {
    return false
  }
}

const formats = new Map<string, unknown>()

/** A cached number or date format for the reader: creating one takes as long as formatting hundreds of values. */
function getFormat<Format>(name: string, create: (locale: string) => Format): Format {
  const key = `${locale.value} ${name}`
  const existing = formats.get(key) as Format | undefined
  if (existing) return existing
  const created = create(locale.value)
  formats.set(key, created)
  return created
}

/** Browser storage key of the selected language. */
const STORAGE_KEY = 'stockroom.language'

/**
 * Sets the selected language, otherwise the first available one that the browser requests, and the number and date format. Call it before the
 * first page.
 */
export async function startLanguage(): Promise<void> {
  selectedRegion.value = localStorage.getItem(REGION_STORAGE_KEY) ?? ''
  const preferred = [localStorage.getItem(STORAGE_KEY), ...navigator.languages].map((tag) => tag?.split('-')[0])
  await applyLanguage((preferred.find((tag) => tag !== undefined && tag in LANGUAGES) ?? 'en') as Language)
}

/** Changes the language, and stores the choice. */
export async function selectLanguage(selected: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, selected)
  await applyLanguage(selected)
}

async function applyLanguage(selected: Language): Promise<void> {
  texts.value = await loadTexts[selected]()
  language.value = selected
  document.documentElement.lang = selected
  // no page waits for it
  loadServiceTexts[selected]().then(
    (loaded) => {
      if (language.value === selected) serviceTexts.value = loaded
    },
    () => undefined,
  )
}

/** Help for a field, by its text in the API. */
export const helpText = (text: string): string => serviceTexts.value.help[text] ?? text

/** Message for an error, in the reader's language. */
export const errorText = (error: ServiceError): string =>
  translateError(serviceTexts.value.errors, error, { formatNumber, formatBytes })

/** Text of a notification, in the reader's language where it is translated. */
export const notificationText = (text: string): string => translation.value(text)

const translation = computed(() =>
  createTranslator(serviceTexts.value.notifications, (value) => (DECIMAL.test(value) ? formatNumber(value) : value)),
)
const DECIMAL = /^-?\d+\.\d+$/

/** A text in the reader's language: `t('sign-in.as', { name })`. */
export function t<K extends Key>(key: K, ...[values]: Placeholders<Words[K]> extends never ? [] : [Values<K>]): string {
  return fillPlaceholders(texts.value[key], values)
}

/** The keys with two forms: `parts.one` and `parts.other`. */
export type PluralKey = { [K in Key]: K extends `${infer Stem}.one` ? (`${Stem}.other` extends Key ? Stem : never) : never }[Key]

/** A text with a number that determines its form: `count('parts', 3)`. The number replaces `{count}`. */
export function count(stem: PluralKey, n: number): string {
  const form = getFormat('plural', (locale) => new Intl.PluralRules(locale)).select(n) === 'one' ? 'one' : 'other'
  return fillPlaceholders(texts.value[`${stem}.${form}` as Key], { count: formatNumber(n) })
}

const fillPlaceholders = (text: string, values: Record<string, string | number> = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

/** Label of a field. Without a translation it is the name in the API: `target_date` → `Target date`. */
export function label(name: string): string {
  const existing = texts.value[`field.${name}` as Key] ?? serviceTexts.value.fields[name]
  if (existing !== undefined) return existing
  const text = name.replaceAll('_', ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Label of a field's choice, with the key `choice.<resource>.<field>.<choice>`: `choice.stock.status.10`. Without a translation it is the
 * choice itself.
 * @param path the URL of the resource: `/api/stock/`
 */
export const choiceLabel = (path: string, field: string, choice: string | number): string =>
  texts.value[`choice.${path.slice('/api/'.length, -1)}.${field}.${choice}` as Key] ?? String(choice)

/** Formats a number for the reader, with its decimals, up to `decimals`. */
export const formatNumber = (value: number | string, decimals = 5): string =>
  getFormat(`number ${decimals}`, (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: decimals })).format(
    toExactNumber(value),
  )

/** Converts a number for `format`. Keeps all digits of a string, where a binary fraction would lose some. */
const toExactNumber = (value: number | string): number | Intl.StringNumericLiteral =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? (value as Intl.StringNumericLiteral) : Number(value)

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A number of bytes for the reader: `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const exponent = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** exponent
  return `${formatNumber(value, value < 10 && exponent > 0 ? 1 : 0)} ${BYTE_UNITS[exponent]}`
}

/** The decimal separator. */
export const getDecimalSeparator = (): string => formatNumber(0.5).charAt(1)

/** Converts a number as the reader typed it into the format of the API (`readNumber`). */
export const parseTypedNumber = (typed: string): string => readNumber(typed, getDecimalSeparator())

/** Formats both readings of an ambiguous number for the user; undefined if the number is not ambiguous. */
export function formatReadings(loaded: string): { thousands: string; decimals: string } | undefined {
  const readings = getReadings(loaded)
  return readings && { thousands: readings.thousands, decimals: readings.decimals.replace('.', getDecimalSeparator()) }
}

/** A quantity with its unit. */
export const formatWithUnit = (value: number | string | null, unit?: string | null): string =>
  value === null ? '' : unit ? `${formatNumber(value)} ${unit}` : formatNumber(value)

/** Money format with a number of decimals; without one with those of its currency: none for JPY, three for KWD. */
const getMoneyFormat = (currency: string, decimals?: number): Intl.NumberFormat =>
  getFormat(
    `money ${currency} ${decimals ?? ''}`,
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        ...(decimals === undefined ? {} : { maximumFractionDigits: decimals }),
      }),
  )

const getCurrencyDecimals = (currency: string): number => getMoneyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2

/** The name of a currency, such as `US Dollar`. */
export const getCurrencyName = (currency: string): string =>
  new Intl.DisplayNames(language.value, { type: 'currency' }).of(currency) ?? currency

/** A unit price with its currency; it has more decimals than its currency if they matter (`getPriceDecimals`). */
export const formatMoney = (value: number | string | null | undefined, currency: string | null | undefined): string => {
  if (value === null || value === undefined || value === '') return ''
  if (!currency) return formatNumber(value, 6)
  return getMoneyFormat(currency, getPriceDecimals(value, getCurrencyDecimals(currency))).format(toExactNumber(value))
}

/**
 * Formats an amount to pay or a value, such as the total of a line: rounded to the decimals of its currency, such as cents, unless that would
 * round it to 0.
 */
export const formatTotal = (value: number | string | null | undefined, currency: string | null | undefined): string => {
  if (value === null || value === undefined || value === '' || !currency) return formatMoney(value, currency)
  const smallestUnit = 10 ** -getCurrencyDecimals(currency)
  return Math.abs(Number(value)) < smallestUnit / 2
    ? formatMoney(value, currency)
    : getMoneyFormat(currency).format(toExactNumber(value))
}

/** A lowest and a highest amount; a single one if they are equal. @param format formats an amount: `money` for unit prices */
export const formatPriceRange = (
  lowest: string | null,
  highest: string | null,
  currency: string,
  format = formatTotal,
): string =>
  lowest === null && highest === null
    ? ''
    : lowest === null || highest === null || format(lowest, currency) === format(highest, currency)
      ? format(lowest ?? highest, currency)
      : `${format(lowest, currency)} – ${format(highest, currency)}`

const createDayFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A date, given as `2027-03-01`. */
export const formatDate = (value: string | null | undefined): string =>
  value ? getFormat('day', createDayFormat).format(new Date(`${value}T00:00:00Z`)) : ''

const createMonthFormat = (locale: string) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A month, given as `2027-03`. */
export const formatMonth = (month: string): string =>
  getFormat('month', createMonthFormat).format(new Date(`${month}-01T00:00:00Z`))

const createWeekdayFormat = (locale: string) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })

/** The day of the week of a date, shortened. */
export const formatWeekday = (day: string): string =>
  getFormat('weekday', createWeekdayFormat).format(new Date(`${day}T00:00:00Z`))

/** The first day of the week where the reader is: 1 for Monday to 7 for Sunday. */
export function getFirstWeekday(): number {
  const locale = new Intl.Locale(getFormat('weekday', createWeekdayFormat).resolvedOptions().locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
  }
  return locale.getWeekInfo?.().firstDay ?? 1
}

const createDateTimeFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** A date and time, in the reader's time zone. */
export const formatDateTime = (value: string | null | undefined): string =>
  value ? getFormat('moment', createDateTimeFormat).format(new Date(value)) : ''
