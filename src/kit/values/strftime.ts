type Directive = {
  render: (moment: Date) => string
  /** A regular expression for every text that `render` can return. */
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

const DAY = 24 * 60 * 60 * 1000

/** A number written with leading zeros to a fixed number of digits. */
const digits = (width: number, value: (moment: Date) => number): Directive => ({
  render: (moment) => String(value(moment)).padStart(width, '0'),
  expression: `[0-9]{${width}}`,
})

const word = (words: string[], index: (moment: Date) => number): Directive => ({
  render: (moment) => words[index(moment)] ?? '',
  expression: `(?:${words.join('|')})`,
})

const short = (words: string[]) => words.map((name) => name.slice(0, 3))

/** Days since the first of January, which is 0. */
export const dayOfYear = (moment: Date): number =>
  Math.floor(
    (Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()) - Date.UTC(moment.getUTCFullYear(), 0, 1)) /
      DAY,
  )

/** 1 for Monday to 7 for Sunday. */
const isoWeekday = (moment: Date): number => moment.getUTCDay() || 7

/** The ISO 8601 week, with the year it belongs to, in UTC. */
export function isoWeek(moment: Date): { year: number; week: number } {
  // A week belongs to the year of its Thursday.
  const thursday = new Date(moment.getTime() + (4 - isoWeekday(moment)) * DAY)
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 }
}

const directives: Record<string, Directive> = {
  Y: digits(4, (moment) => moment.getUTCFullYear()),
  y: digits(2, (moment) => moment.getUTCFullYear() % 100),
  m: digits(2, (moment) => moment.getUTCMonth() + 1),
  d: digits(2, (moment) => moment.getUTCDate()),
  j: digits(3, (moment) => dayOfYear(moment) + 1),
  H: digits(2, (moment) => moment.getUTCHours()),
  I: digits(2, (moment) => moment.getUTCHours() % 12 || 12),
  M: digits(2, (moment) => moment.getUTCMinutes()),
  S: digits(2, (moment) => moment.getUTCSeconds()),
  f: digits(6, (moment) => moment.getUTCMilliseconds() * 1000),
  w: digits(1, (moment) => moment.getUTCDay()),
  u: digits(1, isoWeekday),
  V: digits(2, (moment) => isoWeek(moment).week),
  G: digits(4, (moment) => isoWeek(moment).year),
  U: digits(2, (moment) => Math.floor((dayOfYear(moment) + 7 - moment.getUTCDay()) / 7)),
  W: digits(2, (moment) => Math.floor((dayOfYear(moment) + 8 - isoWeekday(moment)) / 7)),
  p: word(['AM', 'PM'], (moment) => (moment.getUTCHours() < 12 ? 0 : 1)),
  a: word(short(DAYS), (moment) => moment.getUTCDay()),
  A: word(DAYS, (moment) => moment.getUTCDay()),
  b: word(short(MONTHS), (moment) => moment.getUTCMonth()),
  B: word(MONTHS, (moment) => moment.getUTCMonth()),
  '%': { render: () => '%', expression: '%' },
}

/** Text with the date directives of C and Python, such as `%Y-%m-%d`, with English names and in UTC. */
export type DateFormat = { render: (moment: Date) => string; expression: string }

/** Parses a date format. Null if it has an unknown directive. */
export function dateFormat(format: string): DateFormat | null {
  const parts: Directive[] = []
  for (const piece of format.match(/%.?|[^%]+/gsu) ?? []) {
    const part = piece.startsWith('%') ? directives[piece.slice(1)] : { render: () => piece, expression: escapeExpression(piece) }
    if (part === undefined) return null
    parts.push(part)
  }
  return {
    render: (moment) => parts.map((part) => part.render(moment)).join(''),
    expression: parts.map((part) => part.expression).join(''),
  }
}

/** Returns the regular expression that matches exactly this text. */
export const escapeExpression = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
