import { setTimeout as pause } from 'node:timers/promises'

const DAY = 86_400_000

/**
 * Waits until the present day (UTC) lasts long enough for a test that compares dates: at midnight it would meet two.
 * @param needed milliseconds that the test may take
 * @returns the day, as dates are written
 */
export async function steadyDay(needed = 10_000): Promise<string> {
  const left = DAY - (Date.now() % DAY)
  if (left < needed) await pause(left)
  return new Date().toISOString().slice(0, 10)
}
