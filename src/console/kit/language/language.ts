import { computed, signal } from '@preact/signals'
import { en, type Words } from '../../languages/en.ts'
import { decimalsOf } from '../values/price-decimals.ts'
import { bothOf, readNumber } from '../values/typed-number.ts'
import { errorIn, type ServiceError, type ServiceTexts, translator } from './service-texts.ts'

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

const load: Record<Language, () => Promise<Record<Key, string>>> = {
  en: async () => en,
  de: async () => (await import('../../languages/de.ts')).de,
}

/** Loaders of translations for the service's texts: in English only those that are written for programs, in other languages all of them. */
const loadServiceTexts: Record<Language, () => Promise<ServiceTexts>> = {
  en: async () => (await import('../../languages/en/service-texts.ts')).serviceTexts,
  de: async () => (await import('../../languages/de/service-texts.ts')).serviceTexts,
}
const NO_SERVICE_TEXTS: ServiceTexts = { help: {}, fields: {}, errors: {}, notifications: {} }

const texts = signal<Record<Key, string>>(en)
const serviceTexts = signal(NO_SERVICE_TEXTS)

/** The current language. */
export const language = signal<Language>('en')

/** Locale for numbers, money and dates: the browser's if it has the same language, else the language itself. */
const locale = computed(
  () => navigator.languages.find((one) => one.split('-')[0] === language.value && isLocale(one)) ?? language.value,
)

/** Whether a text is a valid locale: some browsers request invalid ones, such as `en-US@posix`. */
function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0
  } catch {
    return false
  }
}

const formats = new Map<string, unknown>()

/** A cached number or date format for the reader: creating one takes as long as formatting hundreds of values. */
function formatOf<Format>(name: string, make: (locale: string) => Format): Format {
  const key = `${locale.value} ${name}`
  const existing = formats.get(key) as Format | undefined
  if (existing) return existing
  const created = make(locale.value)
  formats.set(key, created)
  return created
}

/** Browser storage key of the selected language. */
const STORAGE_KEY = 'stockroom.language'

/** Sets the selected language, else the first available one that the browser requests. Call it before the first page. */
export async function startLanguage(): Promise<void> {
  const preferred = [localStorage.getItem(STORAGE_KEY), ...navigator.languages].map((one) => one?.split('-')[0])
  await show((preferred.find((one) => one !== undefined && one in LANGUAGES) ?? 'en') as Language)
}

/** Changes the language, and stores the choice. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, chosen)
  await show(chosen)
}

async function show(chosen: Language): Promise<void> {
  texts.value = await load[chosen]()
  language.value = chosen
  document.documentElement.lang = chosen
  // no page waits for it
  loadServiceTexts[chosen]().then(
    (loaded) => {
      if (language.value === chosen) serviceTexts.value = loaded
    },
    () => undefined,
  )
}

/** Help for a field, by its text in the API. */
export const helpText = (text: string): string => serviceTexts.value.help[text] ?? text

/** Message for an error, in the reader's language. */
export const errorText = (error: ServiceError): string => errorIn(serviceTexts.value.errors, error, number)

/** Text of a notification, in the reader's language where it is translated. */
export const notificationText = (text: string): string => translation.value(text)

const translation = computed(() =>
  translator(serviceTexts.value.notifications, (value) => (DECIMAL.test(value) ? number(value) : value)),
)
const DECIMAL = /^-?\d+\.\d+$/

/** A text in the reader's language: `t('sign-in.as', { name })`. */
export function t<K extends Key>(key: K, ...[values]: Placeholders<Words[K]> extends never ? [] : [Values<K>]): string {
  return filled(texts.value[key], values)
}

/** The keys with two forms: `parts.one` and `parts.other`. */
export type Counted = { [K in Key]: K extends `${infer Stem}.one` ? (`${Stem}.other` extends Key ? Stem : never) : never }[Key]

/** A text with a number that determines its form: `count('parts', 3)`. The number replaces `{count}`. */
export function count(stem: Counted, n: number): string {
  const form = formatOf('plural', (locale) => new Intl.PluralRules(locale)).select(n) === 'one' ? 'one' : 'other'
  return filled(texts.value[`${stem}.${form}` as Key], { count: number(n) })
}

const filled = (text: string, values: Record<string, string | number> = {}): string =>
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
 * @param path the address of the resource: `/api/stock/`
 */
export const choiceLabel = (path: string, field: string, choice: string | number): string =>
  texts.value[`choice.${path.slice('/api/'.length, -1)}.${field}.${choice}` as Key] ?? String(choice)

/** Formats a number for the reader, with its decimals, up to `decimals`. */
export const number = (value: number | string, decimals = 5): string =>
  formatOf(`number ${decimals}`, (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: decimals })).format(
    exactly(value),
  )

/** A number for `format`, which keeps all digits of a text where a binary fraction would lose some. */
const exactly = (value: number | string): number | Intl.StringNumericLiteral =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? (value as Intl.StringNumericLiteral) : Number(value)

/** The decimal separator. */
export const decimalSign = (): string => number(0.5).charAt(1)

/** Converts a number as the reader typed it into the format of the API (`readNumber`). */
export const typedNumber = (typed: string): string => readNumber(typed, decimalSign())

/** Both possible readings of an ambiguous typed number, formatted for the reader; undefined if it has only one, or none. */
export function eitherOf(loaded: string): { thousands: string; decimals: string } | undefined {
  const both = bothOf(loaded)
  return both && { thousands: both.thousands, decimals: both.decimals.replace('.', decimalSign()) }
}

/** A quantity with its unit. */
export const quantity = (value: number | string | null, unit?: string | null): string =>
  value === null ? '' : unit ? `${number(value)} ${unit}` : number(value)

/** Money format with a number of decimals; without one with those of its currency: none for JPY, three for KWD. */
const moneyForm = (currency: string, decimals?: number): Intl.NumberFormat =>
  formatOf(
    `money ${currency} ${decimals ?? ''}`,
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        ...(decimals === undefined ? {} : { maximumFractionDigits: decimals }),
      }),
  )

const digitsOf = (currency: string): number => moneyForm(currency).resolvedOptions().maximumFractionDigits ?? 2

/** A unit price with its currency; it has more decimals than its currency if they matter (`decimalsOf`). */
export const money = (value: number | string | null | undefined, currency: string | null | undefined): string => {
  if (value === null || value === undefined || value === '') return ''
  if (!currency) return number(value, 6)
  return moneyForm(currency, decimalsOf(value, digitsOf(currency))).format(exactly(value))
}

/**
 * An amount that is paid or a value, such as the total of a line: rounded to the decimals of its currency, such as cents. One that would
 * round to 0 keeps its decimals.
 */
export const total = (value: number | string | null | undefined, currency: string | null | undefined): string => {
  if (value === null || value === undefined || value === '' || !currency) return money(value, currency)
  const smallestUnit = 10 ** -digitsOf(currency)
  return Math.abs(Number(value)) < smallestUnit / 2 ? money(value, currency) : moneyForm(currency).format(exactly(value))
}

const dayFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A date, given as `2027-03-01`. */
export const date = (value: string | null | undefined): string =>
  value ? formatOf('day', dayFormat).format(new Date(`${value}T00:00:00Z`)) : ''

const dateTimeFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** A date and time, in the reader's time zone. */
export const dateTime = (value: string | null | undefined): string =>
  value ? formatOf('moment', dateTimeFormat).format(new Date(value)) : ''
