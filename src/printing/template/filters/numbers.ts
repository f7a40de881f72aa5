import {
  add,
  compare,
  type Decimal,
  divide,
  Exact,
  multiply,
  normalize,
  subtract,
  toExact,
  toPlainText,
} from '../../../kit/values/decimal.ts'
import { getLocale } from '../languages/languages.ts'
import { toText } from '../output.ts'
import { type FilterHandler, listPositional, readOptions } from './filter.ts'

/** Filters that calculate do so exactly, with 40 digits; they replace those of LiquidJS, which use binary floating point. */

/** Returns a value as a number to calculate with; an absent value counts as 0, as in Liquid. */
export function parseDecimal(value: unknown): Decimal {
  const text = toText(value).trim()
  if (text === '') return '0'
  try {
    return normalize(text)
  } catch {
    throw new Error(`"${text.slice(0, 50)}" is not a number.`)
  }
}

/** Returns a result as a number if that is exact, otherwise as a decimal string. */
function toResult(value: Decimal): number | Decimal {
  const number = Number(value)
  return Number.isFinite(number) && normalize(String(number)) === value ? number : value
}

const createCalculation =
  (calculate: (left: Decimal, right: Decimal) => Decimal): FilterHandler =>
  (left, right) =>
    toResult(calculate(parseDecimal(left), parseDecimal(right)))

function divideNumbers(dividend: Decimal, divisor: Decimal): Decimal {
  if (compare(divisor, '0') === 0) throw new Error('Division by zero.')
  return divide(dividend, divisor)
}

/** The remainder has the sign of the divisor, as in Liquid. */
function modulo(dividend: Decimal, divisor: Decimal): Decimal {
  if (compare(divisor, '0') === 0) throw new Error('Division by zero.')
  const left = toExact(dividend).mod(toExact(divisor))
  return toPlainText(left.isZero() || left.isNegative() === toExact(divisor).isNegative() ? left : left.plus(toExact(divisor)))
}

/** Rounds halves away from zero. */
const roundHalfUp = (value: unknown, places: unknown): Exact =>
  toExact(parseDecimal(value)).toDecimalPlaces(parsePlaces(places, 0), Exact.ROUND_HALF_UP)

/** Parses a number of decimal places in a template. */
export function parsePlaces(value: unknown, fallback: number): number {
  if (value === undefined || value === null || value === '') return fallback
  const places = Number(toText(value))
  if (!Number.isInteger(places) || places < 0 || places > 20)
    throw new Error('Decimal places must be a whole number from 0 to 20.')
  return places
}

const formats = new Map<string, Intl.NumberFormat>()

/** Formats a number with commas between thousands and a minimum and maximum of decimals. Intl gets a string, so that no digit is lost. */
export function groupThousands(
  value: Decimal,
  { minDigits, maxDigits, locale = 'en-US' }: { minDigits: number; maxDigits: number; locale?: string },
): string {
  const key = `${locale} ${minDigits} ${maxDigits}`
  const cachedFormat =
    formats.get(key) ?? new Intl.NumberFormat(locale, { minimumFractionDigits: minDigits, maximumFractionDigits: maxDigits })
  formats.set(key, cachedFormat)
  return cachedFormat.format(value as unknown as number)
}

/**
 * `{{ line.quantity | number }}` has no trailing zeros; `number: 2` sets the number of decimals; `leading: 4` writes at least four digits
 * before the point; `grouped: true` puts commas between thousands, and `language: language` writes them as readers of that language do. A
 * value that is not a number stays unchanged.
 */
const number: FilterHandler = (value, ...args) => {
  const [decimals] = listPositional(args)
  const options = readOptions(args.filter(Array.isArray), ['leading', 'grouped', 'language'])
  const text = toText(value).trim()
  if (text === '' || !isNumber(text)) return value
  const places = decimals === undefined ? undefined : parsePlaces(decimals, 0)
  const plainNumber = places === undefined ? normalize(text) : roundHalfUp(text, places).toFixed(places)
  const locale = options.language === undefined ? undefined : getLocale(toText(options.language))
  if (options.grouped === true || locale !== undefined)
    return groupThousands(plainNumber, { minDigits: places ?? 0, maxDigits: places ?? 20, locale })
  const [sign, digits] = plainNumber.startsWith('-') ? ['-', plainNumber.slice(1)] : ['', plainNumber]
  const [integer = '', fraction] = digits.split('.')
  return `${sign}${integer.padStart(parsePlaces(options.leading, 0), '0')}${fraction === undefined ? '' : `.${fraction}`}`
}

function isNumber(text: string): boolean {
  try {
    toExact(text)
    return true
  } catch {
    return false
  }
}

/**
 * `{{ line.quantity | units: part.units }}`: the number without trailing zeros, followed by the unit, if any. `language: language` writes
 * the number as readers of that language do.
 */
const units: FilterHandler = (value, ...args) => {
  const { language } = readOptions(args.filter(Array.isArray), ['language'])
  const name = toText(listPositional(args)[0]).trim()
  const amount = toText(value).trim()
  const locale = language === undefined ? undefined : getLocale(toText(language))
  const plainNumber =
    amount === '' || !isNumber(amount)
      ? amount
      : locale === undefined
        ? normalize(amount)
        : groupThousands(normalize(amount), { minDigits: 0, maxDigits: 20, locale })
  return name === '' || plainNumber === '' ? plainNumber : `${plainNumber} ${name}`
}

const atLeast: FilterHandler = (value, other) =>
  toResult(compare(parseDecimal(value), parseDecimal(other)) < 0 ? parseDecimal(other) : parseDecimal(value))
const atMost: FilterHandler = (value, other) =>
  toResult(compare(parseDecimal(value), parseDecimal(other)) > 0 ? parseDecimal(other) : parseDecimal(value))

/** The sum of a list, or of a property of its entries. */
function* sum(
  this: { context: { _getFromScope(value: unknown, path: string): unknown } },
  list: unknown,
  property?: unknown,
): Generator<unknown, unknown> {
  let total: Decimal = '0'
  for (const entry of Array.isArray(list) ? list : []) {
    const value = property === undefined ? entry : yield this.context._getFromScope(entry, toText(property))
    total = add(total, parseDecimal(value))
  }
  return toResult(total)
}

export const numberFilters: Record<string, FilterHandler> = {
  plus: createCalculation(add),
  minus: createCalculation(subtract),
  times: createCalculation(multiply),
  divided_by: createCalculation(divideNumbers),
  modulo: createCalculation(modulo),
  abs: (value) => toResult(toPlainText(toExact(parseDecimal(value)).abs())),
  ceil: (value) => toResult(toPlainText(toExact(parseDecimal(value)).ceil())),
  floor: (value) => toResult(toPlainText(toExact(parseDecimal(value)).floor())),
  round: (value, places) => toResult(toPlainText(roundHalfUp(value, places))),
  at_least: atLeast,
  at_most: atMost,
  sum: sum as FilterHandler,
  number,
  units,
}
