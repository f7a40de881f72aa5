import type { PoolClient } from 'pg'
import type { TestResponse, TestService } from './service.ts'
import { until } from './until.ts'

/**
 * Sends two requests, the second while the first is blocked in the middle of its transaction by a lock of another connection.
 * @param hold a statement that takes that lock: on a row that the first request locks after the one that the second waits for
 * @returns their responses, and whether the second waited for the first
 */
export async function interleave(
  service: TestService,
  hold: { text: string; values: unknown[] },
  first: () => Promise<TestResponse>,
  second: () => Promise<TestResponse>,
): Promise<{ first: TestResponse; second: TestResponse; waited: boolean }> {
  const other: PoolClient = await service.pool.connect()
  try {
    await other.query('begin')
    await other.query(hold.text, hold.values)
    const one = first()
    await until(async () => (await waiting(service)) === 1, 'the first request is held up')
    let isOver = false
    const two = second().finally(() => {
      isOver = true
    })
    await until(async () => isOver || (await waiting(service)) === 2, 'the second request waits, or is answered')
    const waited = !isOver
    await other.query('rollback')
    return { first: await one, second: await two, waited }
  } finally {
    await other.query('rollback')
    other.release()
  }
}

/** Counts the connections that wait for a lock. */
const waiting = async ({ rows }: TestService): Promise<number> =>
  (
    await rows(
      `select count(*)::integer as many from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  )[0].many
