import { ExactNumber } from '../../../kit/values/json.ts'
import type { Engine } from './engine.ts'
import { DateValue, Money, toDecimal } from './values.ts'

/** Returns an amount with its currency; undefined if it is not a number. */
export function toMoney(amount: unknown, currency: string, { own }: Pick<Engine, 'own'>): Money | undefined {
  const number = toDecimal(amount)
  if (number === undefined) return undefined
  return new Money(number, currency, String(own.money?.(number, currency)))
}

/** Returns a number with all its digits; any other string unchanged. */
export function exactOf(text: string): unknown {
  const number = toDecimal(text)
  if (number === undefined) return text
  return String(Number(number)) === number ? Number(number) : new ExactNumber(number)
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Parses a string as a date or time; a time without a zone is in UTC. */
export function parseDateValue(text: string): DateValue | undefined {
  if (text.length > 40 || !DATE_TIME.test(text)) return undefined
  const isDay = text.length === 10
  const zoned = isDay || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`
  const time = new Date(zoned.replace(' ', 'T'))
  return Number.isNaN(time.getTime()) ? undefined : new DateValue(time, isDay)
}
