import { compare, toExact, toPlainText } from '../../../kit/values/decimal.ts'
import { getLocale } from '../languages/languages.ts'
import { toText } from '../output.ts'
import { type FilterHandler, listPositional, type OpenSettings, readOptions } from './filter.ts'
import { groupThousands, parseDecimal, parsePlaces } from './numbers.ts'

/** Output for an unknown amount. */
const NO_AMOUNT = '-'

/**
 * `{{ line.purchase_price | money: line.purchase_price_currency }}`: an amount such as `€1,234.50`, with the decimals of
 * PRICING_DECIMAL_PLACES_MIN and PRICING_DECIMAL_PLACES, and at least those of the currency. `decimals: 2` sets them, `least: 2` and `most:
 * 4` the minimum and the maximum; `symbol: false` writes the number alone, `symbol: "code"` the currency code after it. Without an amount
 * it is `-`. `decimals: "currency"` rounds to the decimals of the currency, and `language: language` writes the amount as readers of that
 * language do.
 */
export const moneyFilters = (settings: OpenSettings): Record<string, FilterHandler> => ({
  money(value, ...args) {
    const amount = toText(value).trim()
    if (amount === '') return NO_AMOUNT
    const currency = toText(listPositional(args)[0]).trim() || toText(settings.get('INVENTREE_DEFAULT_CURRENCY'))
    const {
      symbol = true,
      decimals,
      least: minPlaces,
      most: maxPlaces,
      language,
    } = readOptions(args.filter(Array.isArray), ['symbol', 'decimals', 'least', 'most', 'language'])
    const places = decimals === 'currency' ? getMinorDigits(currency) : decimals
    const defaultMinDigits = Math.max(Number(settings.get('PRICING_DECIMAL_PLACES_MIN') ?? 0), getMinorDigits(currency))
    const minDigits = parsePlaces(minPlaces ?? places, defaultMinDigits)
    const maxDigits = Math.max(parsePlaces(maxPlaces ?? places, Number(settings.get('PRICING_DECIMAL_PLACES') ?? 6)), minDigits)
    const number = parseDecimal(amount)
    const locale = language === undefined ? undefined : getLocale(toText(language))
    const digits = groupThousands(toPlainText(toExact(number).abs()), { minDigits, maxDigits, locale })
    const sign = compare(number, '0') < 0 ? '-' : ''
    if (symbol === false) return sign + digits
    if (symbol === 'code') return `${sign}${digits} ${currency}`
    return sign + (isSymbolLast(locale) ? `${digits} ${getSymbol(currency)}` : addSymbol(digits, currency))
  },
})

const currencyFormats = new Map<string, Intl.NumberFormat>()

/** Returns the format of a currency; undefined for an invalid code. A currency that the runtime does not know is shown by its code. */
function getFormat(currency: string): Intl.NumberFormat | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined
  const cachedFormat = currencyFormats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  currencyFormats.set(currency, cachedFormat)
  return cachedFormat
}

const getMinorDigits = (currency: string): number => getFormat(currency)?.resolvedOptions().minimumFractionDigits ?? 2

/** Writes an amount with its symbol: `€` directly before the digits, a code such as `CHF` with a space between. */
function addSymbol(digits: string, currency: string): string {
  const symbol = getSymbol(currency)
  return /[A-Z]$/.test(symbol) ? `${symbol} ${digits}` : `${symbol}${digits}`
}

const getSymbol = (currency: string): string =>
  getFormat(currency)
    ?.formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Whether readers of a language write the currency after the amount. */
const isSymbolLast = (locale: string | undefined): boolean =>
  locale !== undefined &&
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).formatToParts(0).at(-1)?.type === 'currency'
