import { DAYS, dayOfYear, isoWeek, MONTHS } from '../../../kit/values/strftime.ts'

/** Abbreviations in the style of the Associated Press. */
const SHORT_MONTHS = ['Jan.', 'Feb.', 'March', 'April', 'May', 'June', 'July', 'Aug.', 'Sept.', 'Oct.', 'Nov.', 'Dec.']
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

const padTwo = (value: number): string => String(value).padStart(2, '0')
const toTwelveHours = (hours: number): number => hours % 12 || 12
const formatHalfDay = (date: Date): string => (date.getUTCHours() < 12 ? 'a.m.' : 'p.m.')
const formatTime = (date: Date): string =>
  `${toTwelveHours(date.getUTCHours())}${date.getUTCMinutes() === 0 ? '' : `:${padTwo(date.getUTCMinutes())}`}`
const isLeapYear = (date: Date): boolean => new Date(Date.UTC(date.getUTCFullYear(), 1, 29)).getUTCMonth() === 1
const getOrdinalSuffix = (day: number): string => (day > 10 && day < 14 ? 'th' : (ORDINAL_SUFFIXES[day % 10] ?? 'th'))
const formatHour = (date: Date): string => `${toTwelveHours(date.getUTCHours())}`

/** Meaning of each letter of a format. */
const LETTER_FORMATS: Record<string, (date: Date) => string | number> = {
  d: (date) => padTwo(date.getUTCDate()),
  j: (date) => date.getUTCDate(),
  D: (date) => (DAYS[date.getUTCDay()] as string).slice(0, 3),
  l: (date) => DAYS[date.getUTCDay()] as string,
  S: (date) => getOrdinalSuffix(date.getUTCDate()),
  w: (date) => date.getUTCDay(),
  z: (date) => 1 + dayOfYear(date),
  W: (date) => isoWeek(date).week,
  o: (date) => isoWeek(date).year,
  m: (date) => padTwo(date.getUTCMonth() + 1),
  n: (date) => date.getUTCMonth() + 1,
  M: (date) => (MONTHS[date.getUTCMonth()] as string).slice(0, 3),
  b: (date) => (MONTHS[date.getUTCMonth()] as string).slice(0, 3).toLowerCase(),
  F: (date) => MONTHS[date.getUTCMonth()] as string,
  E: (date) => MONTHS[date.getUTCMonth()] as string,
  N: (date) => SHORT_MONTHS[date.getUTCMonth()] as string,
  t: (date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  y: (date) => padTwo(date.getUTCFullYear() % 100),
  Y: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  L: (date) => (isLeapYear(date) ? 'True' : 'False'),
  g: formatHour,
  G: (date) => date.getUTCHours(),
  h: (date) => padTwo(toTwelveHours(date.getUTCHours())),
  H: (date) => padTwo(date.getUTCHours()),
  i: (date) => padTwo(date.getUTCMinutes()),
  s: (date) => padTwo(date.getUTCSeconds()),
  u: (date) => String(date.getUTCMilliseconds() * 1000).padStart(6, '0'),
  a: formatHalfDay,
  A: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  f: formatTime,
  P: (date) => {
    if (date.getUTCMinutes() === 0 && date.getUTCHours() === 0) return 'midnight'
    if (date.getUTCMinutes() === 0 && date.getUTCHours() === 12) return 'noon'
    return `${formatTime(date)} ${formatHalfDay(date)}`
  },
  e: () => 'UTC',
  T: () => 'UTC',
  I: () => '0',
  O: () => '+0000',
  Z: () => '0',
  c: (date) => date.toISOString().replace(/(?:\.000)?Z$/, '+00:00'),
  r: (date) => `${formatDjangoDate(date, 'D, j M Y H:i:s')} +0000`,
  U: (date) => Math.floor(date.getTime() / 1000),
}

/** Formats a time by a format of Django, in which each letter has a meaning unless a backslash precedes it. */
export function formatDjangoDate(date: Date, format: string): string {
  let text = ''
  const letters = Object.hasOwn(NAMED_FORMATS, format) ? (NAMED_FORMATS[format] as string) : format
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] as string
    if (letter === '\\') text += letters[++index] ?? ''
    else text += Object.hasOwn(LETTER_FORMATS, letter) ? LETTER_FORMATS[letter]?.(date) : letter
  }
  return text
}
