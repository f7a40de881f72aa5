import type { PoolClient } from 'pg'
import type { TestResponse, TestService } from './service.ts'
import { waitUntil } from './until.ts'

/**
 * Sends two requests, the second while the first is blocked in the middle of its transaction by a lock of another connection.
 * @param blocker a statement that takes that lock: on a row that the first request locks later than the row that the second waits for
 * @returns their responses, and whether the second waited for the first
 */
export async function interleave(
  service: TestService,
  blocker: { text: string; values: unknown[] },
  first: () => Promise<TestResponse>,
  second: () => Promise<TestResponse>,
): Promise<{ first: TestResponse; second: TestResponse; waited: boolean }> {
  const blockingClient: PoolClient = await service.pool.connect()
  try {
    await blockingClient.query('begin')
    await blockingClient.query(blocker.text, blocker.values)
    const firstResponse = first()
    await waitUntil(async () => (await countWaiting(service)) === 1, 'the first request is blocked')
    let isSettled = false
    const secondResponse = second().finally(() => {
      isSettled = true
    })
    await waitUntil(async () => isSettled || (await countWaiting(service)) === 2, 'the second request waits, or has a response')
    const waited = !isSettled
    await blockingClient.query('rollback')
    return { first: await firstResponse, second: await secondResponse, waited }
  } finally {
    await blockingClient.query('rollback')
    blockingClient.release()
  }
}

/** Counts the connections that wait for a lock. */
const countWaiting = async ({ rows }: TestService): Promise<number> =>
  (
    await rows(
      `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  )[0].count
