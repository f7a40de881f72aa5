import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { reason } from './connect.ts'

/** How long a connection or a statement may take behind a pooler, and an announcement on its way, in milliseconds. */
const SESSION_CHECK_TIMEOUT_MS = 10_000
const PATIENCE_WITH_ANNOUNCEMENTS = 5_000

const ADVICE =
  'set DATABASE_URL to PostgreSQL itself, or to a pool in session mode (PgBouncer: pool_mode = session) with DATABASE_POOL_SIZE plus three connections'

const shared = (what: string) =>
  new OperatorError(`DATABASE_URL points to a pooler without a session for each connection (${what}): ${ADVICE}`)

/**
 * Checks that a connection has one session of PostgreSQL to itself for as long as it is open. Behind a pooler in transaction mode it
 * has another one each time, and neither prepared statements nor locks, settings or announcements stay with it. Sessions that
 * others get afterwards are as they were.
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
  // each statement tells how it ended
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
 * Each connection has to meet the same process of PostgreSQL in each of its transactions. A pooler gives what was given back to it
 * first, or last: both connections give theirs back, and ask for one in the same order, and then in the opposite one, so that
 * one of them gets another's.
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

/** The process of PostgreSQL that serves a transaction, which is left open. */
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
 * What one connection announces, the other has to hear without asking. A pooler that shares sessions has no session for it while it
 * is idle, whichever one it gives it when it asks.
 */
async function requireAnnouncements(one: pg.Client, other: pg.Client): Promise<void> {
  const channel = pg.escapeIdentifier(`start ${randomUUID()}`)
  const heard = Promise.withResolvers<boolean>()
  one.once('notification', () => heard.resolve(true))
  const timer = setTimeout(() => heard.resolve(false), PATIENCE_WITH_ANNOUNCEMENTS)
  try {
    await one.query(`listen ${channel}`)
    await other.query(`notify ${channel}`)
    if (!(await heard.promise)) throw shared('notifications do not reach other connections')
  } finally {
    clearTimeout(timer)
    await one.query(`unlisten ${channel}`)
  }
}
