import type { TestResponse, TestService } from './service.ts'
import { waitUntil } from './until.ts'

/**
 * Sends a request that needs the lock of an account while another transaction holds it, and changes the account before the request
 * continues.
 * @param change assignments to columns of `user_account`, or a whole statement
 */
export async function sendWhileLocked(
  { pool }: TestService,
  user: number,
  send: () => Promise<TestResponse>,
  change: string,
): Promise<TestResponse> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select from user_account where pk = $1 for update', [user])
    const response = send()
    await waitUntilBlocked(pool)
    await client.query(/^(update|delete) /.test(change) ? change : `update user_account set ${change} where pk = ${user}`)
    await client.query('commit')
    return await response
  } finally {
    client.release()
  }
}

async function waitUntilBlocked(pool: TestService['pool']): Promise<void> {
  const blockedQuery = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(async () => (await pool.query(blockedQuery)).rowCount, 'the request did not wait for the lock of the account')
}
