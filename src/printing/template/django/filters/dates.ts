import { dateText } from '../dates.ts'
import type { DjangoFilter } from '../expression.ts'
import { parseDateValue } from '../typed.ts'
import { DateValue, textOf } from '../values.ts'

const toDateValue = (value: unknown): DateValue | undefined =>
  value instanceof DateValue ? value : parseDateValue(textOf(value))

/** Formats a date or time by the letters of a format; empty for other values. */
const formatted = (usual: string): DjangoFilter => ({
  argument: 'optional',
  apply(value, format) {
    const when = toDateValue(value)
    return when ? dateText(when.at, format === undefined ? usual : textOf(format)) : ''
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
function between(from: Date, to: Date): string {
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

const since = (isUntil: boolean): DjangoFilter => ({
  argument: 'optional',
  apply(value, other) {
    const [one, reference] = [toDateValue(value)?.at, other === undefined ? new Date() : toDateValue(other)?.at]
    if (!one || !reference) return ''
    return isUntil ? between(reference, one) : between(one, reference)
  },
})

/** All times are in UTC here. */
const same: DjangoFilter = { apply: (value) => value }

export const dateFilters: Record<string, DjangoFilter> = {
  date: formatted('N j, Y'),
  time: formatted('P'),
  timesince: since(false),
  timeuntil: since(true),
  localtime: same,
  utc: same,
  localize: { keepsSafe: true, apply: (value) => textOf(value) },
  unlocalize: { keepsSafe: true, apply: (value) => (value instanceof DateValue ? value.valueOf() : textOf(value)) },
}
