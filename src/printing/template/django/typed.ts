import { ExactNumber } from '../../../kit/values/json.ts'
import type { Engine } from './engine.ts'
import { DateValue, Money, numberOf } from './values.ts'

/** An amount; undefined if it is not one. */
export function moneyOf(amount: unknown, currency: string, { own }: Pick<Engine, 'own'>): Money | undefined {
  const number = numberOf(amount)
  if (number === undefined) return undefined
  return new Money(number, currency, String(own.money?.(number, currency)))
}

/** A number with all its digits. */
export function exactOf(text: string): unknown {
  const number = numberOf(text)
  if (number === undefined) return text
  return String(Number(number)) === number ? Number(number) : new ExactNumber(number)
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Parses a text as a date or time; a time without a zone is in UTC. */
export function parseDateValue(text: string): DateValue | undefined {
  if (text.length > 40 || !DATE_TIME.test(text)) return undefined
  const isDay = text.length === 10
  const zoned = isDay || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`
  const at = new Date(zoned.replace(' ', 'T'))
  return Number.isNaN(at.getTime()) ? undefined : new DateValue(at, isDay)
}
