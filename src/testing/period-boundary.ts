import { setTimeout as pause } from 'node:timers/promises'

const DAY = 86_400_000

/** Waits until the rest of the current period, such as a minute or a day (UTC), is long enough for a test. Both in milliseconds. */
export async function waitForStablePeriod(period: number, needed: number): Promise<void> {
  const remaining = period - (Date.now() % period)
  if (remaining < needed) await pause(remaining)
}

/**
 * Waits until the current day (UTC) lasts long enough for a test that compares dates: at midnight it would see two.
 * @param needed maximum duration of the test in milliseconds
 * @returns the day, as an ISO date
 */
export async function waitForStableDay(needed = 10_000): Promise<string> {
  await waitForStablePeriod(DAY, needed)
  return new Date().toISOString().slice(0, 10)
}
