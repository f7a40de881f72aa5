type Directive = {
  render: (instant: Date) => string
  /** A regular expression for every string that `render` can return. */
  expression: string
}

/** The days of the week, indexed by `getUTCDay`. */
export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** The months, indexed by `getUTCMonth`. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const DAY_MS = 24 * 60 * 60 * 1000

/** A number written with leading zeros to a fixed number of digits. */
const numberDirective = (width: number, value: (instant: Date) => number): Directive => ({
  render: (instant) => String(value(instant)).padStart(width, '0'),
  expression: `[0-9]{${width}}`,
})

const wordDirective = (words: string[], index: (instant: Date) => number): Directive => ({
  render: (instant) => words[index(instant)] ?? '',
  expression: `(?:${words.join('|')})`,
})

const abbreviate = (words: string[]) => words.map((name) => name.slice(0, 3))

/** Days since the first of January, which is 0. */
export const dayOfYear = (instant: Date): number =>
  Math.floor(
    (Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()) - Date.UTC(instant.getUTCFullYear(), 0, 1)) /
      DAY_MS,
  )

/** 1 for Monday to 7 for Sunday. */
const isoWeekday = (instant: Date): number => instant.getUTCDay() || 7

/** The ISO 8601 week, with the year it belongs to, in UTC. */
export function isoWeek(instant: Date): { year: number; week: number } {
  // A week belongs to the year of its Thursday.
  const thursday = new Date(instant.getTime() + (4 - isoWeekday(instant)) * DAY_MS)
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 }
}

const directives: Record<string, Directive> = {
  Y: numberDirective(4, (instant) => instant.getUTCFullYear()),
  y: numberDirective(2, (instant) => instant.getUTCFullYear() % 100),
  m: numberDirective(2, (instant) => instant.getUTCMonth() + 1),
  d: numberDirective(2, (instant) => instant.getUTCDate()),
  j: numberDirective(3, (instant) => dayOfYear(instant) + 1),
  H: numberDirective(2, (instant) => instant.getUTCHours()),
  I: numberDirective(2, (instant) => instant.getUTCHours() % 12 || 12),
  M: numberDirective(2, (instant) => instant.getUTCMinutes()),
  S: numberDirective(2, (instant) => instant.getUTCSeconds()),
  f: numberDirective(6, (instant) => instant.getUTCMilliseconds() * 1000),
  w: numberDirective(1, (instant) => instant.getUTCDay()),
  u: numberDirective(1, isoWeekday),
  V: numberDirective(2, (instant) => isoWeek(instant).week),
  G: numberDirective(4, (instant) => isoWeek(instant).year),
  U: numberDirective(2, (instant) => Math.floor((dayOfYear(instant) + 7 - instant.getUTCDay()) / 7)),
  W: numberDirective(2, (instant) => Math.floor((dayOfYear(instant) + 8 - isoWeekday(instant)) / 7)),
  p: wordDirective(['AM', 'PM'], (instant) => (instant.getUTCHours() < 12 ? 0 : 1)),
  a: wordDirective(abbreviate(DAYS), (instant) => instant.getUTCDay()),
  A: wordDirective(DAYS, (instant) => instant.getUTCDay()),
  b: wordDirective(abbreviate(MONTHS), (instant) => instant.getUTCMonth()),
  B: wordDirective(MONTHS, (instant) => instant.getUTCMonth()),
  '%': { render: () => '%', expression: '%' },
}

/** A format with the date directives of C and Python, such as `%Y-%m-%d`, with English names and in UTC. */
export type DateFormat = { render: (instant: Date) => string; expression: string }

/** Parses a date format. Null if it has an unknown directive. */
export function parseDateFormat(format: string): DateFormat | null {
  const parts: Directive[] = []
  for (const piece of format.match(/%.?|[^%]+/gsu) ?? []) {
    const part = piece.startsWith('%') ? directives[piece.slice(1)] : { render: () => piece, expression: escapeExpression(piece) }
    if (part === undefined) return null
    parts.push(part)
  }
  return {
    render: (instant) => parts.map((part) => part.render(instant)).join(''),
    expression: parts.map((part) => part.expression).join(''),
  }
}

/** Returns the regular expression that matches exactly this text. */
export const escapeExpression = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
