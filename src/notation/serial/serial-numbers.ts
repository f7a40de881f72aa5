import type { ErrorMessage } from '../../kit/values/message.ts'
import { toSortInteger, trailingDigits } from '../../kit/values/sort-integer.ts'
import { serialErrors } from './serial-errors.ts'

/** Maximum number of serial numbers that one request can create; a larger number is rejected before anything is built. */
export const MAX_SERIAL_NUMBERS = 5000

/** Maximum length of a serial number, in characters: the length of the stock item's field. */
export const MAX_SERIAL_LENGTH = 100

const MAX_INPUT_LENGTH = MAX_SERIAL_NUMBERS * (MAX_SERIAL_LENGTH + 2)

/** All errors in serial number input, one message each. */
export class SerialNumberError extends Error {
  readonly messages: ErrorMessage[]

  constructor(messages: ErrorMessage[]) {
    super(messages.join(' '))
    this.messages = messages
  }
}

/**
 * Parses user input into serial numbers (docs/interface/stock.md#serial-numbers), exactly the expected number and without duplicates.
 *
 * Groups are separated by commas or blanks. When there are as many groups as expected serials, each group is a serial as written. Otherwise
 * `a-b` is a range including both ends, and so is `a..b`, for serials that contain hyphens; `a+` continues from a until the number is
 * reached, `a+n` is a and the n after it, and any other group with two or more hyphens, or with one after letters, is a serial as written.
 * `~` is the serial after the latest, each further `~` one higher. InvenTree clients send `a-b`, `a+`, `a+n` and `~`.
 *
 * @param expected number of serials, in base units
 * @param latest the latest serial of the part's tree; null when there is none yet, and `~` begins at 1
 * @throws SerialNumberError with every message
 */
export function parseSerialNumbers(input: string, expected: number, latest: string | null): { serials: string[] } {
  const generator = readSerials(input, expected, latest, false)
  let step = generator.next()
  while (!step.done) step = generator.next(incrementSerial(step.value))
  return { serials: step.value }
}

/**
 * Parses serial numbers like `parseSerialNumbers`, with `getNext` returning the number after another one (an empty string for the first
 * number), or null if there is none.
 */
export async function parseSerialNumbersAsync(
  getNext: (serial: string) => Promise<string | null>,
  input: string,
  expected: number,
  latest: string | null,
): Promise<{ serials: string[] }> {
  const generator = readSerials(input, expected, latest, true)
  let step = generator.next()
  while (!step.done) step = generator.next(await getNext(step.value))
  return { serials: step.value }
}

/** A computation that yields a serial number and receives the following one. */
type SerialGenerator<T> = Generator<string, T, string | null>

function* readSerials(
  input: string,
  expected: number,
  latest: string | null,
  isComputedByCaller: boolean,
): SerialGenerator<string[]> {
  if (!Number.isInteger(expected) || expected < 1) throw new SerialNumberError([serialErrors.whole_quantity_for_serials])
  if (expected > MAX_SERIAL_NUMBERS) throw tooManySerialsError()
  if (input.length > MAX_INPUT_LENGTH) throw tooManySerialsError()

  const groups = (yield* replaceTildes(input, latest)).split(/[\s,]+/).filter((group) => group !== '')
  if (groups.length === 0) throw new SerialNumberError([serialErrors.no_serial_numbers])
  if (groups.length > MAX_SERIAL_NUMBERS) throw tooManySerialsError()

  const serials = new Set<string>()
  const errors = new ErrorCollector()
  const isLiteral = groups.length === expected
  for (const group of groups) {
    const expansion = isLiteral
      ? [group]
      : yield* expandGroup(group, { expected, remaining: expected - serials.size, isComputedByCaller, errors })
    for (const serial of expansion) {
      if (serial.length > MAX_SERIAL_LENGTH) {
        errors.add(serialErrors.serial_number_too_long({ max_length: MAX_SERIAL_LENGTH, serial: serial.slice(0, 20) }))
      } else if (serials.has(serial)) {
        errors.add(serialErrors.duplicate_serial_number({ serial }))
      } else {
        serials.add(serial)
      }
    }
  }

  if (errors.size === 0 && serials.size !== expected) {
    errors.add(serialErrors.serial_count_mismatch({ count: serials.size, quantity: expected }))
  }
  if (errors.size > 0) throw new SerialNumberError(errors.messages)
  return [...serials]
}

/**
 * Returns the next serial number: the digits at the end plus one, with the same width, so 001 gives 002 and AB9 gives AB10. A blank gives
 * 1. Null when the text does not end in digits.
 */
export function incrementSerial(serial: string): string | null {
  const text = serial.trim()
  if (text === '') return '1'
  const start = splitNumber(text)
  return start === null ? null : addSteps(start, 1n)
}

/**
 * Returns the hidden integer that serial numbers are sorted and filtered by: the digits at the beginning, otherwise those at the end, otherwise 0;
 * larger values are capped at 2147483647.
 */
export function serialInteger(serial: string): number {
  return toSortInteger(serial)
}

function tooManySerialsError(): SerialNumberError {
  return new SerialNumberError([serialErrors.max_serial_numbers({ max_serials: MAX_SERIAL_NUMBERS })])
}

/** A serial that can be incremented: its prefix, and the number at its end with its written width. */
type NumberedSerial = { prefix: string; number: bigint; width: number }

function splitNumber(serial: string): NumberedSerial | null {
  const digits = trailingDigits(serial)
  if (digits === '' || serial.length > MAX_SERIAL_LENGTH) return null
  return { prefix: serial.slice(0, -digits.length), number: BigInt(digits), width: digits.length }
}

const addSteps = ({ prefix, number, width }: NumberedSerial, steps: bigint): string =>
  prefix + (number + steps).toString().padStart(width, '0')

function* replaceTildes(input: string, latest: string | null): SerialGenerator<string> {
  const [first = '', ...rest] = input.split('~')
  if (rest.length > MAX_SERIAL_NUMBERS) throw tooManySerialsError()
  let text = first
  let next = latest ?? ''
  for (const more of rest) {
    const following: string | null = yield next
    if (following === null)
      throw new SerialNumberError([serialErrors.no_following_serial({ serial: next.slice(0, MAX_SERIAL_LENGTH) })])
    next = following
    text += following + more
  }
  return text
}

/** Collects errors, without duplicates. */
class ErrorCollector {
  readonly messages: ErrorMessage[] = []

  get size(): number {
    return this.messages.length
  }

  add(message: ErrorMessage): void {
    if (!this.messages.some((existing) => existing.message === message.message)) this.messages.push(message)
  }
}

/** State for parsing one group. */
type Group = {
  expected: number
  /** Number of expected serials that are still missing. */
  remaining: number
  /** Whether the caller computes each following number, instead of incrementing the digits at the end. */
  isComputedByCaller: boolean
  errors: ErrorCollector
}

/** Expands one group into serials; returns none and adds an error when the group is invalid or has more serials than are left. */
function* expandGroup(text: string, group: Group): SerialGenerator<string[]> {
  // calls no plugins for input that is rejected anyway
  if (group.isComputedByCaller && group.errors.size > 0) return []
  const [first = '', last, ...more] = text.split('..')
  if (last !== undefined) return yield* expandRange(text, first, more.length > 0 ? '' : last, group)
  if (/^[^+]*\+[0-9]*$/.test(text)) return yield* expandSequence(text, group)
  const [rangeStart = '', rangeEnd, ...rest] = text.split('-')
  const isRange =
    rangeEnd !== undefined && rest.length === 0 && (group.isComputedByCaller || rangeStart === '' || /\d$/.test(rangeStart))
  if (isRange) return yield* expandRange(text, rangeStart, rangeEnd, group)
  return text.includes('+') && rangeEnd === undefined ? yield* expandSequence(text, group) : [text]
}

type RangeProblem = 'invalid' | 'too many'

function* expandRange(
  text: string,
  first: string,
  last: string,
  { expected, remaining, isComputedByCaller, errors }: Group,
): SerialGenerator<string[]> {
  const expansion = isComputedByCaller ? yield* requestRange(first, last, remaining) : incrementTo(first, last, remaining)
  if (typeof expansion !== 'string') return expansion
  errors.add(
    expansion === 'invalid'
      ? serialErrors.invalid_serial_range({ range: text })
      : serialErrors.serial_range_too_long({ range: text, quantity: expected }),
  )
  return []
}

function* expandSequence(text: string, { expected, remaining, isComputedByCaller, errors }: Group): SerialGenerator<string[]> {
  const [first = '', more = '', ...rest] = text.split('+')
  const isSequence = first !== '' && rest.length === 0 && /^[0-9]{0,100}$/.test(more)
  const count = more === '' ? remaining : Number(more) + 1
  if (isSequence && count > remaining) {
    errors.add(serialErrors.serial_sequence_too_long({ range: text, quantity: expected }))
    return []
  }
  const expansion = isSequence ? (isComputedByCaller ? yield* requestSequence(first, count) : incrementBy(first, count)) : null
  if (expansion === null) errors.add(serialErrors.invalid_serial_sequence({ range: text }))
  return expansion ?? []
}

function incrementTo(first: string, last: string, remaining: number): string[] | RangeProblem {
  const start = splitNumber(first)
  const end = splitNumber(last)
  const steps = start === null || end === null ? 0n : end.number - start.number
  // Incrementing the first must produce the last as written: AB08-AB11 does, 001-5 and A1-B5 do not.
  if (start === null || steps <= 0n || addSteps(start, steps) !== last) return 'invalid'
  return steps + 1n > BigInt(remaining) ? 'too many' : (incrementBy(first, Number(steps) + 1) as string[])
}

function incrementBy(first: string, count: number): string[] | null {
  if (count === 1) return [first]
  const start = splitNumber(first)
  return start && Array.from({ length: count }, (_, step) => addSteps(start, BigInt(step)))
}

function* requestRange(first: string, last: string, remaining: number): SerialGenerator<string[] | RangeProblem> {
  if (first === '' || last === '' || first === last) return 'invalid'
  const serials = [first]
  for (let serial = first; serial !== last; serials.push(serial)) {
    if (serials.length === remaining) return 'too many'
    const next: string | null = yield serial
    if (next === null) return 'invalid'
    serial = next
  }
  return serials
}

function* requestSequence(first: string, count: number): SerialGenerator<string[] | null> {
  const serials = [first]
  for (let serial = first; serials.length < count; serials.push(serial)) {
    const next: string | null = yield serial
    if (next === null) return null
    serial = next
  }
  return serials.slice(0, count)
}
