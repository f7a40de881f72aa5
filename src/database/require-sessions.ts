import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { reason } from './connect.ts'

/** Timeout of a connection or a statement behind a pooler, and of a notification, in milliseconds. */
const SESSION_CHECK_TIMEOUT_MS = 10_000
const NOTIFICATION_TIMEOUT_MS = 5_000

const ADVICE =
  'set DATABASE_URL to PostgreSQL itself, or to a pool in session mode (PgBouncer: pool_mode = session) with DATABASE_POOL_SIZE plus three connections'

const shared = (problem: string) =>
  new OperatorError(`DATABASE_URL points to a pooler without a session for each connection (${problem}): ${ADVICE}`)

/**
 * Checks that a connection has its own PostgreSQL session for as long as it is open. Behind a pooler in transaction mode it gets another
 * session each time, and prepared statements, locks, settings and notifications are lost. The check leaves the sessions unchanged for their
 * next users.
 * @throws OperatorError when it has not, or the database cannot be reached
 */
export async function requireSessions(url: string): Promise<void> {
  const one = new pg.Client({
    connectionString: url,
    query_timeout: SESSION_CHECK_TIMEOUT_MS,
    connectionTimeoutMillis: SESSION_CHECK_TIMEOUT_MS,
  })
  const other = new pg.Client({
    connectionString: url,
    query_timeout: SESSION_CHECK_TIMEOUT_MS,
    connectionTimeoutMillis: SESSION_CHECK_TIMEOUT_MS,
  })
  const clients = [one, other]
  // each statement reports its own error
  for (const client of clients) client.on('error', () => {})
  try {
    await Promise.all(clients.map((client) => client.connect())).catch((error: Error) => {
      throw new OperatorError(`the database cannot be reached: ${reason(error)}`)
    })
    await requireSameProcess(one, other)
    await requireAnnouncements(one, other)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

/**
 * Requires that each connection gets the same PostgreSQL process in each of its transactions. A pooler assigns the session that was
 * returned first, or last: both connections return theirs, and request one in the same order, and then in the opposite order, so that one
 * of them gets the other's.
 */
async function requireSameProcess(one: pg.Client, other: pg.Client): Promise<void> {
  const processes = new Map<pg.Client, number>()
  for (const order of [
    [one, other],
    [one, other],
    [other, one],
  ]) {
    for (const client of order) {
      const pid = await processOf(client)
      if ((processes.get(client) ?? pid) !== pid) throw shared('one changed its session from one transaction to the next')
      processes.set(client, pid)
    }
    for (const client of [one, other]) await client.query('commit')
  }
}

/** The PostgreSQL process that serves a transaction, which is left open. */
async function processOf(client: pg.Client): Promise<number> {
  try {
    await client.query('begin')
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid as number
  } catch (error) {
    throw shared(`two connections cannot each have a transaction: ${reason(error as Error)}`)
  }
}

/**
 * Requires that a notification from one connection reaches the other without a query. A pooler that shares sessions has none for an idle
 * connection, whichever it assigns on the next query.
 */
async function requireAnnouncements(one: pg.Client, other: pg.Client): Promise<void> {
  const channel = pg.escapeIdentifier(`start ${randomUUID()}`)
  const notified = Promise.withResolvers<boolean>()
  one.once('notification', () => notified.resolve(true))
  const timer = setTimeout(() => notified.resolve(false), NOTIFICATION_TIMEOUT_MS)
  try {
    await one.query(`listen ${channel}`)
    await other.query(`notify ${channel}`)
    if (!(await notified.promise)) throw shared('notifications do not reach other connections')
  } finally {
    clearTimeout(timer)
    await one.query(`unlisten ${channel}`)
  }
}
