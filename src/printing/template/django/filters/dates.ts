import { formatDjangoDate } from '../dates.ts'
import type { DjangoFilter } from '../expression.ts'
import { parseDateValue } from '../typed.ts'
import { DateValue, toText } from '../values.ts'

const toDateValue = (value: unknown): DateValue | undefined =>
  value instanceof DateValue ? value : parseDateValue(toText(value))

/** Formats a date or time by the letters of a format; empty for other values. */
const createFormatFilter = (defaultFormat: string): DjangoFilter => ({
  argument: 'optional',
  apply(value, format) {
    const dateValue = toDateValue(value)
    return dateValue ? formatDjangoDate(dateValue.at, format === undefined ? defaultFormat : toText(format)) : ''
  },
})

const UNITS: readonly (readonly [name: string, milliseconds: number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** Returns the time between two dates: the largest unit, and the one below it. */
function formatDuration(from: Date, to: Date): string {
  let remaining = to.getTime() - from.getTime()
  const parts: string[] = []
  for (const [name, milliseconds] of UNITS) {
    const count = Math.floor(remaining / milliseconds)
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
    else if (parts.length > 0) break
    remaining -= Math.max(count, 0) * milliseconds
    if (parts.length === 2) break
  }
  return parts.join(', ') || '0 minutes'
}

const createSinceFilter = (isUntil: boolean): DjangoFilter => ({
  argument: 'optional',
  apply(value, other) {
    const [date, reference] = [toDateValue(value)?.at, other === undefined ? new Date() : toDateValue(other)?.at]
    if (!date || !reference) return ''
    return isUntil ? formatDuration(reference, date) : formatDuration(date, reference)
  },
})

/** All times are in UTC here. */
const identityFilter: DjangoFilter = { apply: (value) => value }

export const dateFilters: Record<string, DjangoFilter> = {
  date: createFormatFilter('N j, Y'),
  time: createFormatFilter('P'),
  timesince: createSinceFilter(false),
  timeuntil: createSinceFilter(true),
  localtime: identityFilter,
  utc: identityFilter,
  localize: { keepsSafe: true, apply: (value) => toText(value) },
  unlocalize: { keepsSafe: true, apply: (value) => (value instanceof DateValue ? value.valueOf() : toText(value)) },
}
