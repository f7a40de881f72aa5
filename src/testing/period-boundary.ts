import { setTimeout as pause } from 'node:timers/promises'

const DAY_MS = 86_400_000

/** Waits until the rest of the current period, such as a minute or a day (UTC), is long enough for a test. Both in milliseconds. */
export async function waitForStablePeriod(periodMs: number, requiredMs: number): Promise<void> {
  const remaining = periodMs - (Date.now() % periodMs)
  if (remaining < requiredMs) await pause(remaining)
}

/**
 * Waits until the current day (UTC) lasts long enough for a test that compares dates: at midnight it would see two.
 * @param requiredMs maximum duration of the test in milliseconds
 * @returns the day, as an ISO date
 */
export async function waitForStableDay(requiredMs = 10_000): Promise<string> {
  await waitForStablePeriod(DAY_MS, requiredMs)
  return new Date().toISOString().slice(0, 10)
}
