import { Drop } from 'liquidjs'
import { exact } from '../../../kit/values/decimal.ts'
import { ExactNumber, isObject } from '../../../kit/values/json.ts'
import { textOf as plainText } from '../output.ts'
import { dateText } from './dates.ts'

/** A date, or a time in UTC. */
export class When extends Drop {
  readonly at: Date
  readonly isDay: boolean

  constructor(at: Date, isDay: boolean) {
    super()
    this.at = at
    this.isDay = isDay
  }

  /** Returns the text that responses of the API have. */
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

  /** @param text as people write it */
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
export function textOf(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value instanceof When) return dateText(value.at, value.isDay ? 'N j, Y' : 'N j, Y, P')
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return plainText(value)
}

/** Unwraps a value that is marked as safe. */
const bare = (value: unknown): unknown => {
  if (value instanceof When) return value.at.getTime()
  if (value instanceof Money) return value.amount
  return value instanceof Drop ? value.valueOf() : value
}

export function isTrue(value: unknown): boolean {
  const known = value instanceof Money ? Number(value.amount) : value instanceof When ? true : bare(value)
  if (known instanceof ExactNumber) return true
  if (Array.isArray(known)) return known.length > 0
  if (isObject(known)) return Object.getOwnPropertyNames(known).length > 0
  return Boolean(known)
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/

/** Returns a value as a decimal number in text form; undefined if it is not a number. */
export function numberOf(value: unknown): string | undefined {
  const known = bare(value)
  if (typeof known === 'boolean') return known ? '1' : '0'
  if (typeof known === 'number') return Number.isFinite(known) ? String(known) : undefined
  if (known instanceof ExactNumber) return known.toString()
  return typeof known === 'string' && known.length < 100 && NUMBER.test(known) ? known.trim() : undefined
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof ExactNumber ||
  value instanceof Money ||
  value instanceof When

/**
 * Returns a negative number, 0 or a positive number if one value is less than, equal to or greater than the other; undefined if they are
 * not comparable.
 */
export function compare(one: unknown, other: unknown): number | undefined {
  if (isNumeric(one) || isNumeric(other)) {
    const [left, right] = [numberOf(one), numberOf(other)]
    return left === undefined || right === undefined ? undefined : exact(left).comparedTo(exact(right))
  }
  const [left, right] = [bare(one), bare(other)]
  if (typeof left !== 'string' || typeof right !== 'string') return undefined
  return left < right ? -1 : left > right ? 1 : 0
}

export function isEqual(one: unknown, other: unknown): boolean {
  const [left, right] = [bare(one) ?? null, bare(other) ?? null]
  if (left === right) return true
  if (left === null || right === null) return false
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((entry, at) => isEqual(entry, right[at]))
  if (isObject(left) && isObject(right))
    return typeof left.pk === 'number' && left.pk === right.pk && Object.keys(left).join() === Object.keys(right).join()
  return compare(one, other) === 0
}

export function contains(list: unknown, searched: unknown): boolean {
  const held = bare(list)
  if (Array.isArray(held)) return held.some((entry) => isEqual(entry, searched))
  if (typeof held === 'string') return typeof bare(searched) === 'string' && held.includes(bare(searched) as string)
  return isObject(held) && Object.hasOwn(held, textOf(searched))
}

/** Returns the items that a loop iterates over: entries of a list, characters of a text, keys of a map. */
export function entriesOf(value: unknown): unknown[] {
  const known = bare(value)
  if (Array.isArray(known)) return known
  if (typeof known === 'string' && !(value instanceof When || value instanceof Money)) return [...known]
  return isObject(known) ? Object.keys(known) : []
}

/** Parses an integer in a template; large ones are of no use on paper. @throws Error for other values */
export function wholeOf(value: unknown): number {
  const whole = Number(numberOf(value))
  if (!Number.isInteger(whole)) throw new Error('This filter requires a whole number.')
  return Math.min(whole, 10_000)
}
