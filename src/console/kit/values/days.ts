/** A day, as `2026-11-28`. */
export type Day = string

const toDate = (day: Day): Date => new Date(`${day}T00:00:00Z`)
const toDay = (date: Date): Day => date.toISOString().slice(0, 10)

/** The day a number of days later, or earlier. */
export function addDays(day: Day, days: number): Day {
  const date = toDate(day)
  date.setUTCDate(date.getUTCDate() + days)
  return toDay(date)
}

/** The day in a number of days from now, in UTC as in the service. */
export const getDateInDays = (days: number): Day => addDays(toDay(new Date()), days)

/** The same day in another month, or its last day if that month is shorter. */
export function addMonths(day: Day, months: number): Day {
  const date = toDate(day)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0))
  last.setUTCDate(Math.min(date.getUTCDate(), last.getUTCDate()))
  return toDay(last)
}

/** Whether a text is a day that exists. */
export const isDay = (text: string | undefined): text is Day =>
  text !== undefined &&
  /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(toDate(text).getTime()) &&
  toDay(toDate(text)) === text

/** The first day of the week of a day. @param firstWeekday 1 for Monday to 7 for Sunday */
export function startOfWeek(day: Day, firstWeekday: number): Day {
  const weekday = toDate(day).getUTCDay() || 7
  return addDays(day, -((weekday - firstWeekday + 7) % 7))
}

/** The days of the week of a day. */
export const listWeek = (day: Day, firstWeekday: number): Day[] => {
  const first = startOfWeek(day, firstWeekday)
  return Array.from({ length: 7 }, (_, index) => addDays(first, index))
}

/** The weeks that contain the days of a month, whole. */
export function listMonth(day: Day, firstWeekday: number): Day[][] {
  const weeks: Day[][] = []
  const month = day.slice(0, 7)
  for (let first = startOfWeek(`${month}-01`, firstWeekday); first.slice(0, 7) <= month; first = addDays(first, 7))
    weeks.push(listWeek(first, firstWeekday))
  return weeks
}
