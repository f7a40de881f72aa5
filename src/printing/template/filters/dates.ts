import { parseDateFormat } from '../../../kit/values/strftime.ts'
import { getLocale } from '../languages/languages.ts'
import { toText } from '../output.ts'
import { type FilterHandler, listPositional, readOptions } from './filter.ts'

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/

/**
 * `{{ order.target_date | date: "%d.%m.%Y" }}`; without a format `2026-11-22`. `timezone: "Europe/Berlin"` converts a time to that zone; a
 * date without a time is not converted. A time without a zone is in UTC, as are times with an unknown `timezone`. A value that is not a
 * date stays unchanged. `language: language` writes it as readers of that language do, such as `22 Nov 2026`.
 */
const date = createDateFilter('%Y-%m-%d')

/** Like `date`, with the time: without a format `2026-11-22 13:05`. */
const datetime = createDateFilter('%Y-%m-%d %H:%M')

function createDateFilter(defaultFormat: string): FilterHandler {
  return (value, ...args) => {
    const text = toText(value).trim()
    const instant = parseInstant(text)
    if (instant === undefined) return value
    const { timezone, language } = readOptions(args.filter(Array.isArray), ['timezone', 'language'])
    const pattern = toText(listPositional(args)[0])
    const local = timezone === undefined || DAY.test(text) ? instant : shiftToZone(instant, toText(timezone))
    const locale = language === undefined || pattern !== '' ? undefined : getLocale(toText(language))
    if (locale !== undefined) return formatForLocale(local, locale, { hasTime: defaultFormat.includes('%H') })
    const format = pattern || defaultFormat
    const formatter = parseDateFormat(format)
    if (formatter === null) throw new Error(`"${format.slice(0, 50)}" is not a date format: it contains an unknown directive.`)
    return formatter.render(local)
  }
}

/** Formats a time as readers of a language write it. */
const formatForLocale = (instant: Date, locale: string, { hasTime }: { hasTime: boolean }): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    dateStyle: 'medium',
    ...(hasTime ? { timeStyle: 'short' } : {}),
  }).format(instant)

/** Parses a string as a time; `now` and `today` are the current time. */
function parseInstant(text: string): Date | undefined {
  if (text === 'now' || text === 'today') return new Date()
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined
  const instant = new Date(DAY.test(text) ? `${text}T00:00:00Z` : HAS_ZONE.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

/** Shifts a time so that its UTC reads as local time in the zone. */
function shiftToZone(instant: Date, zone: string): Date {
  let clock: Intl.DateTimeFormat
  try {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch {
    return instant
  }
  const offset = clock.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d+):(\d+)/.exec(offset) ?? []
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(instant.getTime() + (sign === '-' ? -offsetMs : offsetMs))
}

export const dateFilters: Record<string, FilterHandler> = { date, datetime }
