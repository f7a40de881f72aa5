import { Exact, add as plus, toExact, toPlainText } from '../../../../kit/values/decimal.ts'
import { groupThousands } from '../../filters/numbers.ts'
import type { DjangoFilter } from '../expression.ts'
import { exactOf } from '../typed.ts'
import { isTrue, toDecimal, toText } from '../values.ts'

/** Maximum decimal places of a number. */
const MAX_DECIMAL_PLACES = 40

/** `floatformat` takes the number of decimal places; a negative number shows them only if needed, `g` groups thousands with commas. */
function floatformat(value: unknown, argument: unknown): unknown {
  const number = toDecimal(value)
  if (number === undefined) return ''
  const [, places = '-1', letters = ''] = /^(-?\d{1,3})?([gu]{0,2})$/.exec(argument === undefined ? '-1' : toText(argument)) ?? [
    '',
    '',
    'x',
  ]
  if (letters === 'x') return toText(value)
  const requestedPlaces = Number(places || '-1')
  const count = Math.min(Math.abs(requestedPlaces), MAX_DECIMAL_PLACES)
  const rounded = toExact(number).toDecimalPlaces(count, Exact.ROUND_HALF_UP)
  const formattedNumber = requestedPlaces < 0 && rounded.isInteger() ? toPlainText(rounded) : rounded.toFixed(count)
  const fractionDigits = requestedPlaces < 0 && rounded.isInteger() ? 0 : Math.min(count, 20)
  return letters.includes('g')
    ? groupThousands(formattedNumber, { minDigits: fractionDigits, maxDigits: fractionDigits })
    : formattedNumber
}

function add(value: unknown, argument: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(argument)) return [...value, ...argument]
  const [left, right] = [toDecimal(value), toDecimal(argument)]
  if (left !== undefined && right !== undefined) return exactOf(plus(left, right))
  return typeof value === 'object' && Array.isArray(value) ? '' : toText(value) + toText(argument)
}

function divisibleBy(value: unknown, argument: unknown): boolean {
  const [left, right] = [toDecimal(value), toDecimal(argument)]
  if (left === undefined || right === undefined || toExact(right).isZero()) throw new Error('"divisibleby" requires two numbers.')
  return toExact(left).mod(toExact(right)).isZero()
}

/** Returns a digit of an integer, counted from the right. */
function getDigit(value: unknown, argument: unknown): unknown {
  const [number, position] = [toDecimal(value), Number(toDecimal(argument))]
  if (number === undefined || !(position >= 1)) return value
  return Number(toPlainText(toExact(number).trunc()).at(-position) ?? 0)
}

const SIZE_UNITS = ['KB', 'MB', 'GB', 'TB', 'PB']

function formatFileSize(value: unknown): string {
  const bytes = Number(toDecimal(value) ?? 0)
  if (Math.abs(bytes) < 1024) return `${bytes} byte${bytes === 1 ? '' : 's'}`
  const step = Math.min(Math.floor(Math.log2(Math.abs(bytes)) / 10), SIZE_UNITS.length)
  return `${(bytes / 1024 ** step).toFixed(1)} ${SIZE_UNITS[step - 1]}`
}

/** `order{{ count|pluralize }}`, `cherr{{ count|pluralize:"y,ies" }}` */
function pluralize(value: unknown, argument: unknown): string {
  const forms = (argument === undefined ? 's' : toText(argument)).split(',')
  if (forms.length > 2) return ''
  const [singular, plural] = forms.length === 1 ? ['', forms[0]] : forms
  const count = Array.isArray(value) ? String(value.length) : toDecimal(value)
  return (count !== undefined && Number(count) === 1 ? singular : plural) ?? ''
}

function yesno(value: unknown, argument: unknown): unknown {
  const words = (argument === undefined ? 'yes,no,maybe' : toText(argument)).split(',')
  if (words.length < 2) return value
  if (value === null || value === undefined) return words[2] ?? words[1]
  return isTrue(value) ? words[0] : words[1]
}

export const numberFilters: Record<string, DjangoFilter> = {
  floatformat: { argument: 'optional', apply: floatformat },
  add: { argument: 'required', apply: add },
  divisibleby: { argument: 'required', apply: divisibleBy },
  get_digit: { argument: 'required', apply: getDigit },
  filesizeformat: { apply: formatFileSize },
  pluralize: { argument: 'optional', apply: pluralize },
  yesno: { argument: 'optional', apply: yesno },
}
