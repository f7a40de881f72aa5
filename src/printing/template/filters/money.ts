import { compare, exact, toPlainText } from '../../../kit/values/decimal.ts'
import { textOf } from '../output.ts'
import { type FilterHandler, type OpenSettings, readOptions, unnamed } from './filter.ts'
import { decimalOf, grouped, placesOf } from './numbers.ts'

/** Output for an unknown amount. */
const NONE = '-'

/**
 * `{{ line.purchase_price | money: line.purchase_price_currency }}`: an amount as people write it, `€1,234.50`, with the decimals of
 * PRICING_DECIMAL_PLACES_MIN and PRICING_DECIMAL_PLACES, and at least those of the currency. `decimals: 2` sets them, `least: 2` and `most:
 * 4` the minimum and the maximum; `symbol: false` writes the number alone, `symbol: "code"` the currency code after it. Without an amount
 * it is `-`.
 */
export const moneyFilters = (settings: OpenSettings): Record<string, FilterHandler> => ({
  money(value, ...args) {
    const amount = textOf(value).trim()
    if (amount === '') return NONE
    const currency = textOf(unnamed(args)[0]).trim() || textOf(settings.get('INVENTREE_DEFAULT_CURRENCY'))
    const {
      symbol = true,
      decimals,
      least: fewest,
      most: highest,
    } = readOptions(args.filter(Array.isArray), ['symbol', 'decimals', 'least', 'most'])
    const usual = Math.max(Number(settings.get('PRICING_DECIMAL_PLACES_MIN') ?? 0), minorDigits(currency))
    const minDigits = placesOf(fewest ?? decimals, usual)
    const maxDigits = Math.max(placesOf(highest ?? decimals, Number(settings.get('PRICING_DECIMAL_PLACES') ?? 6)), minDigits)
    const number = decimalOf(amount)
    const digits = grouped(toPlainText(exact(number).abs()), { minDigits, maxDigits })
    const sign = compare(number, '0') < 0 ? '-' : ''
    if (symbol === false) return sign + digits
    return symbol === 'code' ? `${sign}${digits} ${currency}` : sign + withSymbol(digits, currency)
  },
})

const numbers = new Map<string, Intl.NumberFormat>()

/** Returns the format of a currency, which shows one that the runtime does not know by its code; undefined for an invalid code. */
function formatOf(currency: string): Intl.NumberFormat | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined
  const cachedFormat = numbers.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  numbers.set(currency, cachedFormat)
  return cachedFormat
}

const minorDigits = (currency: string): number => formatOf(currency)?.resolvedOptions().minimumFractionDigits ?? 2

/** Writes an amount with its symbol: `€` directly before the digits, a code such as `CHF` with a space between. */
function withSymbol(digits: string, currency: string): string {
  const symbol =
    formatOf(currency)
      ?.formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? currency
  return /[A-Z]$/.test(symbol) ? `${symbol} ${digits}` : `${symbol}${digits}`
}
