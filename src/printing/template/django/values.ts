import { Drop } from 'liquidjs'
import { toExact } from '../../../kit/values/decimal.ts'
import { ExactNumber, isObject } from '../../../kit/values/json.ts'
import { toText as plainText } from '../output.ts'
import { formatDjangoDate } from './dates.ts'

/** A date, or a time in UTC. */
export class DateValue extends Drop {
  readonly at: Date
  readonly isDay: boolean

  constructor(at: Date, isDay: boolean) {
    super()
    this.at = at
    this.isDay = isDay
  }

  /** Returns the value as in responses of the API. */
  override valueOf(): string {
    const text = this.at.toISOString()
    return this.isDay ? text.slice(0, 10) : text
  }
}

/** An amount with its currency. */
export class Money extends Drop {
  readonly amount: string
  readonly currency: string
  readonly #text: string

  /** @param text the formatted amount */
  constructor(amount: string, currency: string, text: string) {
    super()
    this.amount = amount
    this.currency = currency
    this.#text = text
  }

  override valueOf(): string {
    return this.#text
  }
}

/** A picture that an object references: no other file of the media folder can be shown. */
export class Picture extends Drop {
  readonly path: string

  constructor(path: string) {
    super()
    this.path = path
  }

  override valueOf(): string {
    return this.path.replace(/^\/media\//, '')
  }
}

/** Returns the text that `{{ }}` outputs for a value before it is escaped; absent values and None are empty. */
export function toText(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value instanceof DateValue) return formatDjangoDate(value.at, value.isDay ? 'N j, Y' : 'N j, Y, P')
  if (Array.isArray(value)) return value.map(toText).join(', ')
  return plainText(value)
}

/** Unwraps a value that is marked as safe. */
const unwrap = (value: unknown): unknown => {
  if (value instanceof DateValue) return value.at.getTime()
  if (value instanceof Money) return value.amount
  return value instanceof Drop ? value.valueOf() : value
}

export function isTrue(value: unknown): boolean {
  const plainValue = value instanceof Money ? Number(value.amount) : value instanceof DateValue ? true : unwrap(value)
  if (plainValue instanceof ExactNumber) return true
  if (Array.isArray(plainValue)) return plainValue.length > 0
  if (isObject(plainValue)) return Object.getOwnPropertyNames(plainValue).length > 0
  return Boolean(plainValue)
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/

/** Returns a value as a decimal string; undefined if it is not a number. */
export function toDecimal(value: unknown): string | undefined {
  const plainValue = unwrap(value)
  if (typeof plainValue === 'boolean') return plainValue ? '1' : '0'
  if (typeof plainValue === 'number') return Number.isFinite(plainValue) ? String(plainValue) : undefined
  if (plainValue instanceof ExactNumber) return plainValue.toString()
  return typeof plainValue === 'string' && plainValue.length < 100 && NUMBER.test(plainValue) ? plainValue.trim() : undefined
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof ExactNumber ||
  value instanceof Money ||
  value instanceof DateValue

/**
 * Returns a negative number, 0 or a positive number if one value is less than, equal to or greater than the other; undefined if they are
 * not comparable.
 */
export function compare(one: unknown, other: unknown): number | undefined {
  if (isNumeric(one) || isNumeric(other)) {
    const [left, right] = [toDecimal(one), toDecimal(other)]
    return left === undefined || right === undefined ? undefined : toExact(left).comparedTo(toExact(right))
  }
  const [left, right] = [unwrap(one), unwrap(other)]
  if (typeof left !== 'string' || typeof right !== 'string') return undefined
  return left < right ? -1 : left > right ? 1 : 0
}

export function isEqual(one: unknown, other: unknown): boolean {
  const [left, right] = [unwrap(one) ?? null, unwrap(other) ?? null]
  if (left === right) return true
  if (left === null || right === null) return false
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((entry, at) => isEqual(entry, right[at]))
  if (isObject(left) && isObject(right))
    return typeof left.pk === 'number' && left.pk === right.pk && Object.keys(left).join() === Object.keys(right).join()
  return compare(one, other) === 0
}

export function contains(list: unknown, searched: unknown): boolean {
  const container = unwrap(list)
  if (Array.isArray(container)) return container.some((entry) => isEqual(entry, searched))
  if (typeof container === 'string') return typeof unwrap(searched) === 'string' && container.includes(unwrap(searched) as string)
  return isObject(container) && Object.hasOwn(container, toText(searched))
}

/** Returns the items that a loop iterates over: entries of a list, characters of a text, keys of a map. */
export function listEntries(value: unknown): unknown[] {
  const plainValue = unwrap(value)
  if (Array.isArray(plainValue)) return plainValue
  if (typeof plainValue === 'string' && !(value instanceof DateValue || value instanceof Money)) return [...plainValue]
  return isObject(plainValue) ? Object.keys(plainValue) : []
}

/** Parses an integer in a template, capped at 10,000. @throws Error for other values */
export function toInteger(value: unknown): number {
  const integer = Number(toDecimal(value))
  if (!Number.isInteger(integer)) throw new Error('This filter requires a whole number.')
  return Math.min(integer, 10_000)
}
