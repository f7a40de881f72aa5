import {
  add,
  compare,
  type Decimal,
  divide,
  Exact,
  exact,
  multiply,
  normalize,
  subtract,
  toPlainText,
} from '../../../kit/values/decimal.ts'
import { textOf } from '../output.ts'
import { type FilterHandler, readOptions, unnamed } from './filter.ts'

/** Filters that calculate do so exactly, with 40 digits; they replace those of LiquidJS, which use binary floating point. */

/** Returns a value as a number to calculate with; an absent value counts as 0, as in Liquid. */
export function decimalOf(value: unknown): Decimal {
  const text = textOf(value).trim()
  if (text === '') return '0'
  try {
    return normalize(text)
  } catch {
    throw new Error(`"${text.slice(0, 50)}" is not a number.`)
  }
}

/** Returns a result as a number if that is exact, else as decimal text. */
function result(value: Decimal): number | Decimal {
  const number = Number(value)
  return Number.isFinite(number) && normalize(String(number)) === value ? number : value
}

const calculated =
  (calculate: (left: Decimal, right: Decimal) => Decimal): FilterHandler =>
  (left, right) =>
    result(calculate(decimalOf(left), decimalOf(right)))

function divided(dividend: Decimal, divisor: Decimal): Decimal {
  if (compare(divisor, '0') === 0) throw new Error('Division by zero.')
  return divide(dividend, divisor)
}

/** The remainder has the sign of the divisor, as in Liquid. */
function modulo(dividend: Decimal, divisor: Decimal): Decimal {
  if (compare(divisor, '0') === 0) throw new Error('Division by zero.')
  const left = exact(dividend).mod(exact(divisor))
  return toPlainText(left.isZero() || left.isNegative() === exact(divisor).isNegative() ? left : left.plus(exact(divisor)))
}

/** Rounds halves away from zero, as people do. */
const rounded = (value: unknown, places: unknown): Exact =>
  exact(decimalOf(value)).toDecimalPlaces(placesOf(places, 0), Exact.ROUND_HALF_UP)

/** Parses a number of decimal places in a template. */
export function placesOf(value: unknown, otherwise: number): number {
  if (value === undefined || value === null || value === '') return otherwise
  const places = Number(textOf(value))
  if (!Number.isInteger(places) || places < 0 || places > 20)
    throw new Error('Decimal places must be a whole number from 0 to 20.')
  return places
}

const formats = new Map<string, Intl.NumberFormat>()

/** Formats a number with commas between thousands and a minimum and maximum of decimals. Intl gets the text, so that no digit is lost. */
export function grouped(value: Decimal, { minDigits, maxDigits }: { minDigits: number; maxDigits: number }): string {
  const key = `${minDigits} ${maxDigits}`
  const cachedFormat =
    formats.get(key) ?? new Intl.NumberFormat('en-US', { minimumFractionDigits: minDigits, maximumFractionDigits: maxDigits })
  formats.set(key, cachedFormat)
  return cachedFormat.format(value as unknown as number)
}

/**
 * `{{ line.quantity | number }}` has no trailing zeros; `number: 2` sets the number of decimals; `leading: 4` writes at least four digits
 * before the point; `grouped: true` puts commas between thousands. A value that is not a number stays unchanged.
 */
const number: FilterHandler = (value, ...args) => {
  const [decimals] = unnamed(args)
  const options = readOptions(args.filter(Array.isArray), ['leading', 'grouped'])
  const text = textOf(value).trim()
  if (text === '' || !isNumber(text)) return value
  const places = decimals === undefined ? undefined : placesOf(decimals, 0)
  const written = places === undefined ? normalize(text) : rounded(text, places).toFixed(places)
  if (options.grouped === true) return grouped(written, { minDigits: places ?? 0, maxDigits: places ?? 20 })
  const [sign, digits] = written.startsWith('-') ? ['-', written.slice(1)] : ['', written]
  const [integer = '', fraction] = digits.split('.')
  return `${sign}${integer.padStart(placesOf(options.leading, 0), '0')}${fraction === undefined ? '' : `.${fraction}`}`
}

function isNumber(text: string): boolean {
  try {
    exact(text)
    return true
  } catch {
    return false
  }
}

/** `{{ line.quantity | units: part.units }}`: the number without trailing zeros, followed by the unit, if any. */
const units: FilterHandler = (value, unit) => {
  const name = textOf(unit).trim()
  const amount = textOf(value).trim()
  const written = amount !== '' && isNumber(amount) ? normalize(amount) : amount
  return name === '' || written === '' ? written : `${written} ${name}`
}

const atLeast: FilterHandler = (value, other) =>
  result(compare(decimalOf(value), decimalOf(other)) < 0 ? decimalOf(other) : decimalOf(value))
const atMost: FilterHandler = (value, other) =>
  result(compare(decimalOf(value), decimalOf(other)) > 0 ? decimalOf(other) : decimalOf(value))

/** The sum of a list, or of a property of its entries. */
function* sum(
  this: { context: { _getFromScope(value: unknown, path: string): unknown } },
  list: unknown,
  property?: unknown,
): Generator<unknown, unknown> {
  let total: Decimal = '0'
  for (const entry of Array.isArray(list) ? list : []) {
    const value = property === undefined ? entry : yield this.context._getFromScope(entry, textOf(property))
    total = add(total, decimalOf(value))
  }
  return result(total)
}

export const numberFilters: Record<string, FilterHandler> = {
  plus: calculated(add),
  minus: calculated(subtract),
  times: calculated(multiply),
  divided_by: calculated(divided),
  modulo: calculated(modulo),
  abs: (value) => result(toPlainText(exact(decimalOf(value)).abs())),
  ceil: (value) => result(toPlainText(exact(decimalOf(value)).ceil())),
  floor: (value) => result(toPlainText(exact(decimalOf(value)).floor())),
  round: (value, places) => result(toPlainText(rounded(value, places))),
  at_least: atLeast,
  at_most: atMost,
  sum: sum as FilterHandler,
  number,
  units,
}
