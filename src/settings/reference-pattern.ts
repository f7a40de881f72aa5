import type { ErrorMessage } from '../kit/values/message.ts'
import { toSortInteger } from '../kit/values/sort-integer.ts'
import { escapeExpression, parseDateFormat } from '../kit/values/strftime.ts'
import { settingsErrors } from './settings-errors.ts'

/** Maximum number of characters of an order's reference. */
export const MAX_REFERENCE_LENGTH = 64

/** Maximum number of characters of a pattern; longer ones are not parsed. */
const MAX_PATTERN_LENGTH = 200

/** One element of a pattern: how to write it in a new reference, and the expression that matches it. */
type Part = { format: (number: number, now: Date) => string; expression: string }

type Pattern = { parts: Part[]; problems: ErrorMessage[]; expression: RegExp }

/**
 * Returns the errors of a reference pattern (docs/interface/orders.md#references), for the setting's `value`; an empty list for a valid
 * one.
 *
 * `{ref}` is the number and is required once; `{ref:d}` are digits, `{ref:04d}` digits padded to at least four. `{date}` is allowed once,
 * with a format as in `{date:%Y-%m}`. `?` matches any one character, `#` one digit, `{{` and `}}` braces.
 */
export const checkPattern = (pattern: string): ErrorMessage[] => parsePattern(pattern).problems

/**
 * Returns the reason for rejecting a reference, as a message for the user; null for a valid one. An empty pattern accepts any reference. So
 * does a pattern that `checkPattern` rejects, which only an import can leave behind.
 */
export function checkReference(pattern: string, reference: string): ErrorMessage | null {
  const text = reference.trim()
  if (text === '') return settingsErrors.order_reference_required
  return isUsablePattern(pattern) && matchReference(pattern, text) === null
    ? settingsErrors.order_reference_pattern({ pattern: pattern.trim() })
    : null
}

/**
 * Returns the hidden integer that orders are sorted by: from the pattern's `{ref}` part, or, if the reference does not match the pattern,
 * from the whole reference: the digits at the beginning, otherwise at the end, otherwise 0; at most 2147483647.
 */
export function parseReferenceInteger(pattern: string, reference: string): number {
  const result = isUsablePattern(pattern) ? matchReference(pattern, reference.trim()) : null
  return toSortInteger(result?.groups?.ref ?? reference)
}

/**
 * Returns the reference after the latest: its integer plus one, written in the pattern. `?` stays and `#` becomes 0, so that the reference
 * matches its own pattern.
 *
 * @param latestInteger the highest integer in use; null without any order, which gives 1. A caller that finds the
 *   reference in use retries with the integer one higher; it may exceed 2147483647.
 * @param now the date written by `{date}`, in UTC
 */
export function formatNextReference(pattern: string, latestInteger: number | null, now: Date): string {
  const number = (latestInteger ?? 0) + 1
  if (!isUsablePattern(pattern)) return String(number)
  return formatReference(parsePattern(pattern).parts, number, now)
}

const isUsablePattern = (pattern: string): boolean => pattern.trim() !== '' && parsePattern(pattern).problems.length === 0

/** Matches a reference against a pattern. A string longer than a reference never matches, which also bounds the matching time. */
const matchReference = (pattern: string, text: string): RegExpExecArray | null =>
  text.length > MAX_REFERENCE_LENGTH ? null : parsePattern(pattern).expression.exec(text)

const formatReference = (parts: Part[], number: number, now: Date): string =>
  parts.map((part) => part.format(number, now)).join('')

/** Expression of an unusable pattern. */
const NEVER_MATCHES = /(?!)/

/** The patterns in use are few and read repeatedly. */
const patternCache = new Map<string, Pattern>()

function parsePattern(pattern: string): Pattern {
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
  const reportProblem: ReportProblem = (problem) => problems.push(problem)
  if (text.length > MAX_PATTERN_LENGTH) {
    reportProblem(settingsErrors.reference_pattern_too_long({ max_length: MAX_PATTERN_LENGTH }))
    return { parts: [], problems, expression: NEVER_MATCHES }
  }

  const parts: Part[] = []
  const seenKeys = new Set<string>()
  for (const token of text.match(/\{\{|\}\}|\{[^{}]*\}|./gsu) ?? []) {
    if (token === '{' || token === '}') {
      reportProblem(settingsErrors.reference_pattern_brace({ brace: token }))
    } else if (token.startsWith('{') && token.endsWith('}')) {
      const colon = token.indexOf(':')
      const key = token.slice(1, colon < 0 ? -1 : colon)
      const format = colon < 0 ? '' : token.slice(colon + 1, -1)
      if (seenKeys.has(key)) reportProblem(settingsErrors.reference_pattern_key_twice({ key }))
      seenKeys.add(key)
      if (key === 'ref') parts.push(createNumberPart(format, reportProblem))
      else if (key === 'date') parts.push(createDatePart(format, reportProblem))
      else problems.push(settingsErrors.unknown_reference_pattern_key({ key }))
    } else {
      parts.push(createCharacterPart(token))
    }
  }
  if (!seenKeys.has('ref')) problems.push(settingsErrors.reference_pattern_without_number)
  if (problems.length > 0) return { parts, problems, expression: NEVER_MATCHES }

  if (formatReference(parts, 1, new Date(0)).length > MAX_REFERENCE_LENGTH) {
    reportProblem(settingsErrors.reference_pattern_references_too_long({ max_length: MAX_REFERENCE_LENGTH }))
  }
  // Only the number has unbounded length, so that matching cannot backtrack without limit.
  return { parts, problems, expression: new RegExp(`^${parts.map((part) => part.expression).join('')}$`, 'u') }
}

type ReportProblem = (problem: ErrorMessage) => void

/** One character of a pattern, or an escaped brace. */
function createCharacterPart(token: string): Part {
  if (token === '?') return { format: () => '?', expression: '.' }
  if (token === '#') return { format: () => '0', expression: '[0-9]' }
  const text = token === '{{' || token === '}}' ? token.charAt(0) : token
  return { format: () => text, expression: escapeExpression(text) }
}

/** A reference may have fewer or more digits than the pattern writes: PO-1 and PO-123456 both match `PO-{ref:04d}`. */
function createNumberPart(format: string, reportProblem: ReportProblem): Part {
  const parsed = /^(?:0([0-9]+))?(d?)$/.exec(format)
  const width = Number(parsed?.[1] ?? '0')
  if (parsed === null) reportProblem(settingsErrors.reference_pattern_number_format({ format }))
  else if (width > MAX_REFERENCE_LENGTH)
    reportProblem(settingsErrors.reference_pattern_width({ max_length: MAX_REFERENCE_LENGTH, width }))
  return {
    format: (number) => String(number).padStart(Math.min(width, MAX_REFERENCE_LENGTH), '0'),
    expression: parsed?.[2] === 'd' ? '(?<ref>[0-9]+)' : '(?<ref>.+)',
  }
}

function createDatePart(format: string, reportProblem: ReportProblem): Part {
  if (format === '') {
    return {
      format: (_, now) => now.toISOString().slice(0, 10),
      // A reference from InvenTree also contains the time.
      expression: '[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{6})?)?',
    }
  }
  const date = parseDateFormat(format)
  if (date === null) {
    reportProblem(settingsErrors.reference_pattern_date_format({ format }))
    return { format: () => '', expression: '' }
  }
  return { format: (_, now) => date.render(now), expression: date.expression }
}
