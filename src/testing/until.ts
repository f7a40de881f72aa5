import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits until something is so. It fails by the clock, not by a number of rounds, which take as long as the machine is busy.
 * @param what to say when it does not come
 * @param patience milliseconds
 */
export async function until(done: () => unknown, what: string, patience = 20_000): Promise<void> {
  for (const end = Date.now() + patience; !(await done()); await pause(10)) assert.ok(Date.now() < end, what)
}
