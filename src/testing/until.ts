import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { scaleTimeout } from './slowness.ts'

/**
 * Waits until a condition is true. The timeout is a duration, not a number of attempts, as the duration of an attempt depends on the load
 * of the machine.
 * @param message message for a timeout
 * @param milliseconds a generous timeout for an idle machine
 */
export async function waitUntil(isDone: () => unknown, message: string, milliseconds = 20_000): Promise<void> {
  for (const end = Date.now() + scaleTimeout(milliseconds); !(await isDone()); await pause(10))
    assert.ok(Date.now() < end, message)
}
