import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { formatReason } from './connect.ts'

/** Timeout of a connection or a statement behind a pooler, and of a notification, in milliseconds. */
const SESSION_CHECK_TIMEOUT_MS = 10_000
const NOTIFICATION_TIMEOUT_MS = 5_000

const ADVICE =
  'set DATABASE_URL to PostgreSQL itself, or to a pool in session mode (PgBouncer: pool_mode = session) with DATABASE_POOL_SIZE plus three connections'

const createSharedSessionError = (problem: string) =>
  new OperatorError(`DATABASE_URL points to a pooler without a session for each connection (${problem}): ${ADVICE}`)

/**
 * Checks that a connection has its own PostgreSQL session for as long as it is open. Behind a pooler in transaction mode it gets another
 * session each time, and prepared statements, locks, settings and notifications are lost. The check leaves the sessions unchanged for their
 * next users.
 * @throws OperatorError when it does not have one, or the database cannot be reached
 */
export async function requireSessions(url: string): Promise<void> {
  const first = new pg.Client({
    connectionString: url,
    query_timeout: SESSION_CHECK_TIMEOUT_MS,
    connectionTimeoutMillis: SESSION_CHECK_TIMEOUT_MS,
  })
  const second = new pg.Client({
    connectionString: url,
    query_timeout: SESSION_CHECK_TIMEOUT_MS,
    connectionTimeoutMillis: SESSION_CHECK_TIMEOUT_MS,
  })
  const clients = [first, second]
  // each statement reports its own error
  for (const client of clients) client.on('error', () => {})
  try {
    await Promise.all(clients.map((client) => client.connect())).catch((error: Error) => {
      throw new OperatorError(`the database cannot be reached: ${formatReason(error)}`)
    })
    await requireSameProcess(first, second)
    await requireNotifications(first, second)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

/**
 * Requires that each connection gets the same PostgreSQL process in each of its transactions. A pooler may assign the session that was
 * returned first, or the one returned last. So both connections return theirs and request one again, in the same order and then in the
 * opposite order: with such a pooler, one of them gets the session of the other.
 */
async function requireSameProcess(first: pg.Client, second: pg.Client): Promise<void> {
  const processes = new Map<pg.Client, number>()
  for (const order of [
    [first, second],
    [first, second],
    [second, first],
  ]) {
    for (const client of order) {
      const pid = await beginAndReadPid(client)
      if ((processes.get(client) ?? pid) !== pid)
        throw createSharedSessionError('one changed its session from one transaction to the next')
      processes.set(client, pid)
    }
    for (const client of [first, second]) await client.query('commit')
  }
}

/** Begins a transaction, and returns the ID of the PostgreSQL process that serves it. */
async function beginAndReadPid(client: pg.Client): Promise<number> {
  try {
    await client.query('begin')
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid as number
  } catch (error) {
    throw createSharedSessionError(`two connections cannot each have a transaction: ${formatReason(error as Error)}`)
  }
}

/**
 * Requires that a notification from one connection reaches the other without a query. A pooler that shares sessions assigns none to an idle
 * connection.
 */
async function requireNotifications(first: pg.Client, second: pg.Client): Promise<void> {
  const channel = pg.escapeIdentifier(`start ${randomUUID()}`)
  const notified = Promise.withResolvers<boolean>()
  first.once('notification', () => notified.resolve(true))
  const timer = setTimeout(() => notified.resolve(false), NOTIFICATION_TIMEOUT_MS)
  try {
    await first.query(`listen ${channel}`)
    await second.query(`notify ${channel}`)
    if (!(await notified.promise)) throw createSharedSessionError('notifications do not reach other connections')
  } finally {
    clearTimeout(timer)
    await first.query(`unlisten ${channel}`)
  }
}
