import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { patience } from './slowness.ts'

/**
 * Waits until a condition is true. The timeout is measured by the clock, not by a number of rounds, whose duration depends on the machine's
 * load.
 * @param what message for a timeout
 * @param milliseconds a generous timeout for an idle machine
 */
export async function until(done: () => unknown, what: string, milliseconds = 20_000): Promise<void> {
  for (const end = Date.now() + patience(milliseconds); !(await done()); await pause(10)) assert.ok(Date.now() < end, what)
}
