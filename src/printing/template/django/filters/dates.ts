import { dateText } from '../dates.ts'
import type { DjangoFilter } from '../expression.ts'
import { whenOf } from '../typed.ts'
import { textOf, When } from '../values.ts'

const momentOf = (value: unknown): When | undefined => (value instanceof When ? value : whenOf(textOf(value)))

/** Formats a date or time by the letters of a format; empty for other values. */
const formatted = (usual: string): DjangoFilter => ({
  argument: 'optional',
  apply(value, format) {
    const when = momentOf(value)
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
  let left = to.getTime() - from.getTime()
  const parts: string[] = []
  for (const [name, milliseconds] of UNITS) {
    const count = Math.floor(left / milliseconds)
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
    else if (parts.length > 0) break
    left -= Math.max(count, 0) * milliseconds
    if (parts.length === 2) break
  }
  return parts.join(', ') || '0 minutes'
}

const since = (isUntil: boolean): DjangoFilter => ({
  argument: 'optional',
  apply(value, other) {
    const [one, reference] = [momentOf(value)?.at, other === undefined ? new Date() : momentOf(other)?.at]
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
  unlocalize: { keepsSafe: true, apply: (value) => (value instanceof When ? value.valueOf() : textOf(value)) },
}
