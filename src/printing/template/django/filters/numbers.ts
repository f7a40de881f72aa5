import { Exact, exact, add as plus, toPlainText } from '../../../../kit/values/decimal.ts'
import { grouped } from '../../filters/numbers.ts'
import type { DjangoFilter } from '../expression.ts'
import { exactOf } from '../typed.ts'
import { isTrue, numberOf, textOf } from '../values.ts'

/** Maximum decimal places of a number. */
const MAX_DECIMAL_PLACES = 40

/** `floatformat`: the number of decimal places; a negative number shows them only if needed, `g` groups thousands with commas. */
function floatformat(value: unknown, argument: unknown): unknown {
  const number = numberOf(value)
  if (number === undefined) return ''
  const [, places = '-1', letters = ''] = /^(-?\d{1,3})?([gu]{0,2})$/.exec(argument === undefined ? '-1' : textOf(argument)) ?? [
    '',
    '',
    'x',
  ]
  if (letters === 'x') return textOf(value)
  const requestedPlaces = Number(places || '-1')
  const count = Math.min(Math.abs(requestedPlaces), MAX_DECIMAL_PLACES)
  const rounded = exact(number).toDecimalPlaces(count, Exact.ROUND_HALF_UP)
  const written = requestedPlaces < 0 && rounded.isInteger() ? toPlainText(rounded) : rounded.toFixed(count)
  const fractionDigits = requestedPlaces < 0 && rounded.isInteger() ? 0 : Math.min(count, 20)
  return letters.includes('g') ? grouped(written, { minDigits: fractionDigits, maxDigits: fractionDigits }) : written
}

function add(value: unknown, argument: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(argument)) return [...value, ...argument]
  const [left, right] = [numberOf(value), numberOf(argument)]
  if (left !== undefined && right !== undefined) return exactOf(plus(left, right))
  return typeof value === 'object' && Array.isArray(value) ? '' : textOf(value) + textOf(argument)
}

function divisibleBy(value: unknown, argument: unknown): boolean {
  const [left, right] = [numberOf(value), numberOf(argument)]
  if (left === undefined || right === undefined || exact(right).isZero()) throw new Error('"divisibleby" requires two numbers.')
  return exact(left).mod(exact(right)).isZero()
}

/** Returns a digit of an integer, counted from the right. */
function digit(value: unknown, argument: unknown): unknown {
  const [number, at] = [numberOf(value), Number(numberOf(argument))]
  if (number === undefined || !(at >= 1)) return value
  return Number(toPlainText(exact(number).trunc()).at(-at) ?? 0)
}

const SIZES = ['KB', 'MB', 'GB', 'TB', 'PB']

function fileSize(value: unknown): string {
  const bytes = Number(numberOf(value) ?? 0)
  if (Math.abs(bytes) < 1024) return `${bytes} byte${bytes === 1 ? '' : 's'}`
  const step = Math.min(Math.floor(Math.log2(Math.abs(bytes)) / 10), SIZES.length)
  return `${(bytes / 1024 ** step).toFixed(1)} ${SIZES[step - 1]}`
}

/** `order{{ count|pluralize }}`, `cherr{{ count|pluralize:"y,ies" }}` */
function pluralize(value: unknown, argument: unknown): string {
  const forms = (argument === undefined ? 's' : textOf(argument)).split(',')
  if (forms.length > 2) return ''
  const [singular, plural] = forms.length === 1 ? ['', forms[0]] : forms
  const count = Array.isArray(value) ? String(value.length) : numberOf(value)
  return (count !== undefined && Number(count) === 1 ? singular : plural) ?? ''
}

function yesno(value: unknown, argument: unknown): unknown {
  const words = (argument === undefined ? 'yes,no,maybe' : textOf(argument)).split(',')
  if (words.length < 2) return value
  if (value === null || value === undefined) return words[2] ?? words[1]
  return isTrue(value) ? words[0] : words[1]
}

export const numberFilters: Record<string, DjangoFilter> = {
  floatformat: { argument: 'optional', apply: floatformat },
  add: { argument: 'required', apply: add },
  divisibleby: { argument: 'required', apply: divisibleBy },
  get_digit: { argument: 'required', apply: digit },
  filesizeformat: { apply: fileSize },
  pluralize: { argument: 'optional', apply: pluralize },
  yesno: { argument: 'optional', apply: yesno },
}
