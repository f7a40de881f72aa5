import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { patience } from './slowness.ts'

/**
 * Waits until something is so. It fails by the clock, not by a number of rounds, which take as long as the machine is busy.
 * @param what to say when it does not come
 * @param milliseconds that are plenty where nothing else runs
 */
export async function until(done: () => unknown, what: string, milliseconds = 20_000): Promise<void> {
  for (const end = Date.now() + patience(milliseconds); !(await done()); await pause(10)) assert.ok(Date.now() < end, what)
}
