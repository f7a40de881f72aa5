import { Decimal as DecimalJs } from 'decimal.js'
import { rawNumber } from './json.ts'
import type { ErrorMessage } from './message.ts'
import { valueErrors } from './value-errors.ts'

/**
 * An exact decimal number as plain text: `-12.5`, `1000`, `0`. No exponent, no spaces. Quantities and money travel from
 * the body to the database and back in this form and never pass through binary floating point.
 */
export type Decimal = string

/**
 * Maximum number of digits before the point, and after it, once the exponent is written out. A string of ten characters, such as
 * `1e99999999`, would otherwise become one of a hundred million.
 */
const MAX_EXPONENT = 1000

/**
 * The constructor for calculations of more than one step. 40 significant digits hold the product of the largest price and the largest
 * quantity without loss; longer values, such as 1/3, are rounded half to even. Exponents are bounded: larger values become infinite,
 * which `toPlainText` rejects, and values closer to zero become zero.
 */
export const Exact = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  // room for the product of two numbers at the limit, and for powers of units
  minE: -5 * MAX_EXPONENT,
  maxE: 5 * MAX_EXPONENT,
})
export type Exact = DecimalJs

/** Decimal places of money in the database and on the wire. */
export const MONEY_PLACES = 6

export type DecimalLimits = {
  /** Total number of digits, at most `maxDigits - decimalPlaces` of them before the point. */
  maxDigits: number
  /** Maximum number of digits after the point, including trailing zeros. */
  decimalPlaces: number
  /** Round half to even to `decimalPlaces` instead of rejecting a longer fraction. */
  round?: boolean
}

/** The reason why a value is not a decimal within its limits. */
export type DecimalFailure = {
  code: 'invalid' | 'comma' | 'max_digits' | 'max_decimal_places' | 'max_whole_digits'
  /** The reason as a message for the user. */
  problem: ErrorMessage
}

const MAX_INPUT_LENGTH = 1000
/** A number in another notation: with a decimal comma or thousands separators. */
const COMMA = /^\s*[+-]?[\d.]*\d,[\d.,]*\d\s*$/
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/**
 * Parses a JSON number, or a string that holds one, as an exact decimal: `1.50` gives `1.5`. A number is read as its shortest decimal form,
 * so 1.1 is exactly 1.1. Space around a string is ignored; `1e3` is a number; NaN, Infinity, hexadecimal and digit separators are not.
 */
export function parseDecimal(value: unknown, limits: DecimalLimits): Decimal | DecimalFailure {
  const { maxDigits, decimalPlaces, round = false } = limits
  const parts = splitNumber(value)
  if (parts === null) return createFailure(typeof value === 'string' && COMMA.test(value) ? 'comma' : 'invalid', limits)

  // Counts the digits before it builds the number, because a short text can represent a very long number.
  const { whole, fraction } = countDigits(parts)
  if (whole > maxDigits) return createFailure('max_digits', limits)
  if (!round) {
    if (whole + fraction > maxDigits) return createFailure('max_digits', limits)
    if (fraction > decimalPlaces) return createFailure('max_decimal_places', limits)
  }
  if (whole > maxDigits - decimalPlaces) return createFailure('max_whole_digits', limits)
  // A number this small rounds to zero, whatever its remaining digits.
  if (fraction > MAX_INPUT_LENGTH + maxDigits) return '0'

  const result = new Exact(parts.text).toDecimalPlaces(decimalPlaces)
  if (result.abs().gte(`1e${maxDigits - decimalPlaces}`)) return createFailure('max_whole_digits', limits)
  return toPlainText(result)
}

/** The sum, exact up to 40 digits. */
export const add = (left: Decimal, right: Decimal): Decimal => toPlainText(toExact(left).plus(toExact(right)))

/** The difference, exact up to 40 digits. */
export const subtract = (left: Decimal, right: Decimal): Decimal => toPlainText(toExact(left).minus(toExact(right)))

/** The product, exact up to 40 digits. */
export const multiply = (left: Decimal, right: Decimal): Decimal => toPlainText(toExact(left).times(toExact(right)))

/** The quotient to 40 digits. Throws a RangeError for a divisor of zero. */
export function divide(dividend: Decimal, divisor: Decimal): Decimal {
  if (isZero(divisor)) throw new RangeError('A decimal was divided by zero.')
  return toPlainText(toExact(dividend).div(toExact(divisor)))
}

/** Returns a negative number, zero or a positive number, as `left` is less than, equal to or greater than `right`. */
export const compare = (left: Decimal, right: Decimal): number => toExact(left).cmp(toExact(right))

export const isZero = (value: Decimal): boolean => toExact(value).isZero()

/** Maximum number of digits of a quantity before the point (`quantity` in `kit/sql/columns.ts`). */
export const QUANTITY_DIGITS = 14

/** Whether a quantity has more digits than that. */
export const isTooLarge = (quantity: Decimal): boolean => toExact(quantity).abs().gte(`1e${QUANTITY_DIGITS}`)

/** Whether all digits after the point are zeros. */
export const isWhole = (value: Decimal): boolean => toExact(value).isInteger()

/** Rounds half to even to this number of decimal places, all of them written: `quantize('2.5', 3)` is `2.500`. */
export const quantize = (value: Decimal, places: number): Decimal => toExact(value).toDecimalPlaces(places).toFixed(places)

/** Formats money as in the database and on the wire: six decimal places, `123.000000`. */
export const formatMoney = (value: Decimal): Decimal => quantize(value, MONEY_PLACES)

/** Removes needless zeros: `1.500` gives `1.5`, `-0` gives `0`. */
export const normalize = (value: Decimal): Decimal => toPlainText(toExact(value))

/** The value as a JSON number with all its digits, for `JSON.stringify`. */
export const toJsonNumber = (value: Decimal): unknown => rawNumber(normalize(value))

/**
 * Converts a decimal for calculations. Throws a RangeError for a value that is not a finite number, such as a NaN from the database, and
 * for a number with more than a thousand digits before or after its point.
 */
export function toExact(value: Decimal): Exact {
  const parts = splitNumber(value)
  if (parts === null) throw new RangeError(`Not a decimal number: ${value.slice(0, 50)}`)
  const { whole, fraction } = countDigits(parts)
  if (whole > MAX_EXPONENT || fraction > MAX_EXPONENT)
    throw new RangeError(
      `A decimal number can have at most ${MAX_EXPONENT} digits before and after the decimal point: ${value.slice(0, 50)}`,
    )
  return new Exact(parts.text)
}

/** Converts a calculated value to plain text. Throws a RangeError for one that is not finite, such as the result of a division by zero. */
export function toPlainText(value: Exact): Decimal {
  if (!value.isFinite()) throw new RangeError('The result of a calculation is too large, or not a number.')
  return value.toFixed()
}

type NumberParts = { text: string; whole: string; fraction: string; exponent: number }

/** Splits a number into its parts as written; null if it is not a number. */
function splitNumber(value: unknown): NumberParts | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value).trim()
  if (text.length > MAX_INPUT_LENGTH) return null
  const match = NUMBER.exec(text)
  if (match === null) return null
  const [, , whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  return { text, whole, fraction, exponent: Number(exponent) }
}

/** Counts the digits before and after the point once the exponent is written out; leading zeros do not count. */
function countDigits({ whole, fraction, exponent }: NumberParts): { whole: number; fraction: number } {
  const digits = (whole + fraction).replace(/^0+/, '')
  const places = Math.max(0, fraction.length - exponent)
  if (digits === '') return { whole: 0, fraction: places > MAX_INPUT_LENGTH ? 0 : places }
  return { whole: Math.max(0, digits.length - fraction.length + exponent), fraction: places }
}

function createFailure(code: DecimalFailure['code'], { maxDigits, decimalPlaces }: DecimalLimits): DecimalFailure {
  const problems = {
    invalid: valueErrors.number_expected,
    comma: valueErrors.decimal_comma,
    max_digits: valueErrors.max_digits({ max_digits: maxDigits }),
    max_decimal_places: valueErrors.max_decimal_places({ max_decimal_places: decimalPlaces }),
    max_whole_digits: valueErrors.max_whole_digits({ max_whole_digits: maxDigits - decimalPlaces }),
  }
  return { code, problem: problems[code] }
}
