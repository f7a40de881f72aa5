import { DAYS, dayOfYear, isoWeek, MONTHS } from '../../../kit/values/strftime.ts'

/** Abbreviations in the style of the Associated Press. */
const SHORTENED = ['Jan.', 'Feb.', 'March', 'April', 'May', 'June', 'July', 'Aug.', 'Sept.', 'Oct.', 'Nov.', 'Dec.']
const ORDINAL_SUFFIXES = ['th', 'st', 'nd', 'rd']

/** Named formats. */
const NAMED_FORMATS: Record<string, string> = {
  DATE_FORMAT: 'N j, Y',
  DATETIME_FORMAT: 'N j, Y, P',
  SHORT_DATE_FORMAT: 'm/d/Y',
  SHORT_DATETIME_FORMAT: 'm/d/Y P',
  TIME_FORMAT: 'P',
  YEAR_MONTH_FORMAT: 'F Y',
  MONTH_DAY_FORMAT: 'F j',
}

const two = (value: number): string => String(value).padStart(2, '0')
const twelve = (hours: number): number => hours % 12 || 12
const half = (at: Date): string => (at.getUTCHours() < 12 ? 'a.m.' : 'p.m.')
const formatTime = (at: Date): string =>
  `${twelve(at.getUTCHours())}${at.getUTCMinutes() === 0 ? '' : `:${two(at.getUTCMinutes())}`}`
const isLeapYear = (at: Date): boolean => new Date(Date.UTC(at.getUTCFullYear(), 1, 29)).getUTCMonth() === 1
const ordinalSuffix = (day: number): string => (day > 10 && day < 14 ? 'th' : (ORDINAL_SUFFIXES[day % 10] ?? 'th'))
const atHour = (at: Date): string => `${twelve(at.getUTCHours())}`

/** Meaning of each letter of a format. */
const LETTER_FORMATS: Record<string, (at: Date) => string | number> = {
  d: (at) => two(at.getUTCDate()),
  j: (at) => at.getUTCDate(),
  D: (at) => (DAYS[at.getUTCDay()] as string).slice(0, 3),
  l: (at) => DAYS[at.getUTCDay()] as string,
  S: (at) => ordinalSuffix(at.getUTCDate()),
  w: (at) => at.getUTCDay(),
  z: (at) => 1 + dayOfYear(at),
  W: (at) => isoWeek(at).week,
  o: (at) => isoWeek(at).year,
  m: (at) => two(at.getUTCMonth() + 1),
  n: (at) => at.getUTCMonth() + 1,
  M: (at) => (MONTHS[at.getUTCMonth()] as string).slice(0, 3),
  b: (at) => (MONTHS[at.getUTCMonth()] as string).slice(0, 3).toLowerCase(),
  F: (at) => MONTHS[at.getUTCMonth()] as string,
  E: (at) => MONTHS[at.getUTCMonth()] as string,
  N: (at) => SHORTENED[at.getUTCMonth()] as string,
  t: (at) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate(),
  y: (at) => two(at.getUTCFullYear() % 100),
  Y: (at) => String(at.getUTCFullYear()).padStart(4, '0'),
  L: (at) => (isLeapYear(at) ? 'True' : 'False'),
  g: atHour,
  G: (at) => at.getUTCHours(),
  h: (at) => two(twelve(at.getUTCHours())),
  H: (at) => two(at.getUTCHours()),
  i: (at) => two(at.getUTCMinutes()),
  s: (at) => two(at.getUTCSeconds()),
  u: (at) => String(at.getUTCMilliseconds() * 1000).padStart(6, '0'),
  a: half,
  A: (at) => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
  f: formatTime,
  P: (at) => {
    if (at.getUTCMinutes() === 0 && at.getUTCHours() === 0) return 'midnight'
    if (at.getUTCMinutes() === 0 && at.getUTCHours() === 12) return 'noon'
    return `${formatTime(at)} ${half(at)}`
  },
  e: () => 'UTC',
  T: () => 'UTC',
  I: () => '0',
  O: () => '+0000',
  Z: () => '0',
  c: (at) => at.toISOString().replace(/(?:\.000)?Z$/, '+00:00'),
  r: (at) => `${dateText(at, 'D, j M Y H:i:s')} +0000`,
  U: (at) => Math.floor(at.getTime() / 1000),
}

/** Formats a time by a format of Django, in which each letter has a meaning unless a backslash precedes it. */
export function dateText(at: Date, format: string): string {
  let text = ''
  const letters = Object.hasOwn(NAMED_FORMATS, format) ? (NAMED_FORMATS[format] as string) : format
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] as string
    if (letter === '\\') text += letters[++index] ?? ''
    else text += Object.hasOwn(LETTER_FORMATS, letter) ? LETTER_FORMATS[letter]?.(at) : letter
  }
  return text
}
