import { computed, signal } from '@preact/signals'
import { en, type Words } from '../../languages/en.ts'
import { decimalsOf } from '../values/price-decimals.ts'
import { bothOf, readNumber } from '../values/typed-number.ts'
import { errorIn, type ServiceError, type ServiceTexts, translator } from './service-texts.ts'

export type { ServiceError } from './service-texts.ts'

/** A word of the language files. */
export type Key = keyof Words

/** The names of what is put into a text: `{name}`. */
type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never
type Values<K extends Key> = { [Name in Places<Words[K]>]: string | number }

/** A word into which nothing is put. */
export type PlainKey = { [K in Key]: Places<Words[K]> extends never ? K : never }[Key]

/** The languages there are; each is in src/console/languages. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

const load: Record<Language, () => Promise<Record<Key, string>>> = {
  en: async () => en,
  de: async () => (await import('../../languages/de.ts')).de,
}

/** What the service says: in English, of which some is for programs, and all of it in other languages. */
const loadSaid: Record<Language, () => Promise<ServiceTexts>> = {
  en: async () => (await import('../../languages/en/service-texts.ts')).serviceTexts,
  de: async () => (await import('../../languages/de/service-texts.ts')).serviceTexts,
}
const NOTHING_SAID: ServiceTexts = { help: {}, fields: {}, errors: {}, news: {} }

const words = signal<Record<Key, string>>(en)
const serviceTexts = signal(NOTHING_SAID)

/** The language that is shown. */
export const language = signal<Language>('en')

/** How numbers, money and dates are written: as the reader's browser has it, where it speaks the language. */
const locale = computed(
  () => navigator.languages.find((one) => one.split('-')[0] === language.value && isLocale(one)) ?? language.value,
)

/** Some browsers ask for what is none, such as `en-US@posix`. */
function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0
  } catch {
    return false
  }
}

const formats = new Map<string, unknown>()

/** A form in which the reader has numbers or dates, which is kept: to make one takes as long as to write hundreds by it. */
function formatOf<Format>(name: string, make: (locale: string) => Format): Format {
  const key = `${locale.value} ${name}`
  const known = formats.get(key) as Format | undefined
  if (known) return known
  const made = make(locale.value)
  formats.set(key, made)
  return made
}

/** Where the choice is kept, in the browser. */
const KEPT = 'stockroom.language'

/** The language that was chosen here, else the first that the browser asks for and there is. To be called before the first page. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages].map((one) => one?.split('-')[0])
  await show((wanted.find((one) => one !== undefined && one in LANGUAGES) ?? 'en') as Language)
}

/** Changes the language, and keeps that. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  localStorage.setItem(KEPT, chosen)
  await show(chosen)
}

async function show(chosen: Language): Promise<void> {
  words.value = await load[chosen]()
  language.value = chosen
  document.documentElement.lang = chosen
  // no page waits for it
  loadSaid[chosen]().then(
    (given) => {
      if (language.value === chosen) serviceTexts.value = given
    },
    () => undefined,
  )
}

/** What a field means, by its text in the interface. */
export const helpText = (text: string): string => serviceTexts.value.help[text] ?? text

/** What an error means, in the reader's language. */
export const errorText = (error: ServiceError): string => errorIn(serviceTexts.value.errors, error, number)

/** What an account is told of, in the reader's language as far as it is known there. */
export const newsText = (text: string): string => translation.value(text)

const translation = computed(() => translator(serviceTexts.value.news, (value) => (DECIMAL.test(value) ? number(value) : value)))
const DECIMAL = /^-?\d+\.\d+$/

/** A text in the reader's language: `t('sign-in.as', { name })`. */
export function t<K extends Key>(key: K, ...[values]: Places<Words[K]> extends never ? [] : [Values<K>]): string {
  return filled(words.value[key], values)
}

/** The keys that come in two forms: `parts.one` and `parts.other`. */
export type Counted = { [K in Key]: K extends `${infer Stem}.one` ? (`${Stem}.other` extends Key ? Stem : never) : never }[Key]

/** A text with a number in it, which decides its form: `count('parts', 3)`. The number stands at `{count}`. */
export function count(stem: Counted, n: number): string {
  const form = formatOf('plural', (locale) => new Intl.PluralRules(locale)).select(n) === 'one' ? 'one' : 'other'
  return filled(words.value[`${stem}.${form}` as Key], { count: number(n) })
}

const filled = (text: string, values: Record<string, string | number> = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

/** What a field is called. One that has no word is called by its name in the interface: `target_date` → `Target date`. */
export function label(name: string): string {
  const known = words.value[`field.${name}` as Key] ?? serviceTexts.value.fields[name]
  if (known !== undefined) return known
  const text = name.replaceAll('_', ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * What a choice of a field is called, by the words at `choice.<resource>.<field>.<choice>`: `choice.stock.status.10`. One without words is
 * called as it is.
 * @param path the address of the resource: `/api/stock/`
 */
export const choiceLabel = (path: string, field: string, choice: string | number): string =>
  words.value[`choice.${path.slice('/api/'.length, -1)}.${field}.${choice}` as Key] ?? String(choice)

/** A number as the reader writes it, with the decimals that it has, at most `decimals`. */
export const number = (value: number | string, decimals = 5): string =>
  formatOf(`number ${decimals}`, (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: decimals })).format(
    exactly(value),
  )

/** A number for `format`, which takes all digits of a text where a binary fraction would lose some. */
const exactly = (value: number | string): number | Intl.StringNumericLiteral =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? (value as Intl.StringNumericLiteral) : Number(value)

/** What stands before decimals. */
export const decimalSign = (): string => number(0.5).charAt(1)

/** A number as the reader typed it, in the form of the interface (`readNumber`). */
export const typedNumber = (typed: string): string => readNumber(typed, decimalSign())

/** Both numbers that what was typed may be, as the reader writes them; undefined where it is one, or none. */
export function eitherOf(given: string): { thousands: string; decimals: string } | undefined {
  const both = bothOf(given)
  return both && { thousands: both.thousands, decimals: both.decimals.replace('.', decimalSign()) }
}

/** A quantity with its unit. */
export const quantity = (value: number | string | null, unit?: string | null): string =>
  value === null ? '' : unit ? `${number(value)} ${unit}` : number(value)

/** How money is written with so many decimals; without a number of them with those of its currency: none of JPY, three of KWD. */
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

/** A price of one unit, with its currency; it shows more decimals than its currency has where they matter (`decimalsOf`). */
export const money = (value: number | string | null | undefined, currency: string | null | undefined): string => {
  if (value === null || value === undefined || value === '') return ''
  if (!currency) return number(value, 6)
  return moneyForm(currency, decimalsOf(value, digitsOf(currency))).format(exactly(value))
}

/**
 * An amount of money that is paid or that something is worth, such as the total of a line: rounded to what its currency has, such as cents.
 * One that would be nothing then keeps its decimals.
 */
export const total = (value: number | string | null | undefined, currency: string | null | undefined): string => {
  if (value === null || value === undefined || value === '' || !currency) return money(value, currency)
  const least = 10 ** -digitsOf(currency)
  return Math.abs(Number(value)) < least / 2 ? money(value, currency) : moneyForm(currency).format(exactly(value))
}

const dayFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A day, given as `2027-03-01`. */
export const date = (value: string | null | undefined): string =>
  value ? formatOf('day', dayFormat).format(new Date(`${value}T00:00:00Z`)) : ''

const momentFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment, in the reader's time zone. */
export const moment = (value: string | null | undefined): string =>
  value ? formatOf('moment', momentFormat).format(new Date(value)) : ''
