import type { ErrorMessage } from '../kit/values/message.ts'
import { sortInteger } from '../kit/values/sort-integer.ts'
import { dateFormat, escapeExpression } from '../kit/values/strftime.ts'
import { settingsErrors } from './settings-errors.ts'

/** Maximum number of characters of an order's reference. */
export const MAX_REFERENCE_LENGTH = 64

/** Maximum number of characters of a pattern; longer ones are not parsed. */
const MAX_PATTERN_LENGTH = 200

/** One element of a pattern: how to write it in a new reference, and the expression that matches it. */
type Part = { write: (number: number, now: Date) => string; expression: string }

type Pattern = { parts: Part[]; problems: ErrorMessage[]; expression: RegExp }

/**
 * Returns the errors of a reference pattern such as `PO-{ref:04d}`, as texts for the setting's `value`; an empty list for a valid one.
 *
 * `{ref}` is the number and is required once; `{ref:d}` are digits, `{ref:04d}` digits padded to at least four. `{date}` is allowed once,
 * with a format as in `{date:%Y-%m}`. `?` matches any one character, `#` one digit, `{{` and `}}` braces. (The reference description of
 * orders and stock, section 5.)
 */
export const checkPattern = (pattern: string): ErrorMessage[] => read(pattern).problems

/**
 * Returns the reason for rejecting a reference, as a text for the user; null for a valid one. An empty pattern accepts any reference. So
 * does a pattern that `checkPattern` rejects, which only an import can leave behind.
 */
export function checkReference(pattern: string, reference: string): ErrorMessage | null {
  const text = reference.trim()
  if (text === '') return settingsErrors.order_reference_required
  return isUsable(pattern) && match(pattern, text) === null
    ? settingsErrors.order_reference_pattern({ pattern: pattern.trim() })
    : null
}

/**
 * Returns the hidden integer that orders are sorted by: from the pattern's `{ref}` part, or, if the reference does not match the pattern,
 * from the whole text: the digits at the beginning, else at the end, else 0; at most 2147483647.
 */
export function referenceInteger(pattern: string, reference: string): number {
  const result = isUsable(pattern) ? match(pattern, reference.trim()) : null
  return sortInteger(result?.groups?.ref ?? reference)
}

/**
 * Returns the reference after the latest: its integer plus one, written in the pattern. `?` stays and `#` becomes 0, so that the reference
 * matches its own pattern.
 *
 * @param latestInteger the highest integer in use; null without any order, which gives 1. A caller that finds the
 *   reference in use retries with the integer one higher; it may exceed 2147483647.
 * @param now the date written by `{date}`, in UTC
 */
export function nextReference(pattern: string, latestInteger: number | null, now: Date): string {
  const number = (latestInteger ?? 0) + 1
  if (!isUsable(pattern)) return String(number)
  return write(read(pattern).parts, number, now)
}

const isUsable = (pattern: string): boolean => pattern.trim() !== '' && read(pattern).problems.length === 0

/** A text longer than a reference never matches, which also bounds the matching time. */
const match = (pattern: string, text: string): RegExpExecArray | null =>
  text.length > MAX_REFERENCE_LENGTH ? null : read(pattern).expression.exec(text)

const write = (parts: Part[], number: number, now: Date): string => parts.map((part) => part.write(number, now)).join('')

/** Expression of an unusable pattern. */
const NEVER_MATCHES = /(?!)/

/** The patterns in use are few and read repeatedly. */
const patternCache = new Map<string, Pattern>()

function read(pattern: string): Pattern {
  const text = pattern.trim()
  let result = patternCache.get(text)
  if (result === undefined) {
    result = compile(text)
    if (patternCache.size >= 100) patternCache.clear()
    patternCache.set(text, result)
  }
  return result
}

function compile(text: string): Pattern {
  const problems: ErrorMessage[] = []
  const improper: Improper = (problem) => problems.push(problem)
  if (text.length > MAX_PATTERN_LENGTH) {
    improper(settingsErrors.reference_pattern_too_long({ max_length: MAX_PATTERN_LENGTH }))
    return { parts: [], problems, expression: NEVER_MATCHES }
  }

  const parts: Part[] = []
  const seenKeys = new Set<string>()
  for (const token of text.match(/\{\{|\}\}|\{[^{}]*\}|./gsu) ?? []) {
    if (token === '{' || token === '}') {
      improper(settingsErrors.reference_pattern_brace({ brace: token }))
    } else if (token.startsWith('{') && token.endsWith('}')) {
      const colon = token.indexOf(':')
      const key = token.slice(1, colon < 0 ? -1 : colon)
      const format = colon < 0 ? '' : token.slice(colon + 1, -1)
      if (seenKeys.has(key)) improper(settingsErrors.reference_pattern_key_twice({ key }))
      seenKeys.add(key)
      if (key === 'ref') parts.push(numberPart(format, improper))
      else if (key === 'date') parts.push(datePart(format, improper))
      else problems.push(settingsErrors.unknown_reference_pattern_key({ key }))
    } else {
      parts.push(characterPart(token))
    }
  }
  if (!seenKeys.has('ref')) problems.push(settingsErrors.reference_pattern_without_number)
  if (problems.length > 0) return { parts, problems, expression: NEVER_MATCHES }

  if (write(parts, 1, new Date(0)).length > MAX_REFERENCE_LENGTH) {
    improper(settingsErrors.reference_pattern_references_too_long({ max_length: MAX_REFERENCE_LENGTH }))
  }
  // Only the number has unbounded length, so that matching cannot backtrack without limit.
  return { parts, problems, expression: new RegExp(`^${parts.map((part) => part.expression).join('')}$`, 'u') }
}

type Improper = (problem: ErrorMessage) => void

/** One character of a pattern, or an escaped brace. */
function characterPart(token: string): Part {
  if (token === '?') return { write: () => '?', expression: '.' }
  if (token === '#') return { write: () => '0', expression: '[0-9]' }
  const text = token === '{{' || token === '}}' ? token.charAt(0) : token
  return { write: () => text, expression: escapeExpression(text) }
}

/** A reference may have fewer or more digits than the pattern writes: PO-1 and PO-123456 both match `PO-{ref:04d}`. */
function numberPart(format: string, improper: Improper): Part {
  const parsed = /^(?:0([0-9]+))?(d?)$/.exec(format)
  const width = Number(parsed?.[1] ?? '0')
  if (parsed === null) improper(settingsErrors.reference_pattern_number_format({ format }))
  else if (width > MAX_REFERENCE_LENGTH)
    improper(settingsErrors.reference_pattern_width({ max_length: MAX_REFERENCE_LENGTH, width }))
  return {
    write: (number) => String(number).padStart(Math.min(width, MAX_REFERENCE_LENGTH), '0'),
    expression: parsed?.[2] === 'd' ? '(?<ref>[0-9]+)' : '(?<ref>.+)',
  }
}

function datePart(format: string, improper: Improper): Part {
  if (format === '') {
    return {
      write: (_, now) => now.toISOString().slice(0, 10),
      // A reference from the existing system also contains the time.
      expression: '[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{6})?)?',
    }
  }
  const date = dateFormat(format)
  if (date === null) {
    improper(settingsErrors.reference_pattern_date_format({ format }))
    return { write: () => '', expression: '' }
  }
  return { write: (_, now) => date.render(now), expression: date.expression }
}
