import pg from 'pg'
import { OperatorError } from '../operator-error.ts'

export type PoolOptions = {
  /** Milliseconds a statement may take; 0 for no limit, as an import needs it. 30 seconds by default. */
  statementTimeout?: number
  /**
   * Milliseconds after which a statement that has no answer counts as lost: PostgreSQL would have broken it off before, so that it,
   * its machine or the network stands still. 5 seconds above `statementTimeout` by default; 0 for no limit.
   */
  answerTimeout?: number
  /** Called with the error of an idle connection that broke, for the log. */
  onError?: (error: Error) => void
  /** Whether the process may end while idle connections are open, as a test wants it. */
  endsWithProcess?: boolean
}

const oid = { int8: 20, date: 1082, timestamp: 1114, timestamptz: 1184, numeric: 1700 }
const arrayOid = { text: 1009, int8: 1016, timestamp: 1115, date: 1182, timestamptz: 1185, numeric: 1231 }

type Parser = (text: string) => unknown

const asText: Parser = (text) => text

/** A number where it is exact, else the text. */
const wholeNumber: Parser = (text) => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const textArray: (text: string) => (string | null)[] = pg.types.getTypeParser(arrayOid.text)

/** An array of one dimension. */
const arrayOf =
  (parse: Parser): Parser =>
  (text) =>
    textArray(text).map((item) => (item === null ? null : parse(item)))

// Dates, moments and decimals stay the text that PostgreSQL writes: a JavaScript Date would move them into the time zone
// of the machine and cut the microseconds, and a number would round them.
const parsers = new Map<number, Parser>([
  [oid.int8, wholeNumber],
  [oid.date, asText],
  [oid.timestamp, asText],
  [oid.timestamptz, asText],
  [oid.numeric, asText],
  [arrayOid.int8, arrayOf(wholeNumber)],
  [arrayOid.date, arrayOf(asText)],
  [arrayOid.timestamp, arrayOf(asText)],
  [arrayOid.timestamptz, arrayOf(asText)],
  [arrayOid.numeric, arrayOf(asText)],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format as 'text'),
}

/**
 * The connection pool. Nothing connects before the first query.
 * Every session is in UTC and has limits on how long it may run, wait for a lock, or sit idle in a transaction. A statement says
 * so as soon as it is open: as options in the connection's first packet, poolers refuse them, or drop them without a word.
 * @param url of a PostgreSQL database; `options` in its query are kept and win over ours
 * @param size the most connections that are open at a time
 */
export function createPool(url: string, size: number, options: PoolOptions = {}): pg.Pool {
  const { statementTimeout = 30_000, onError, endsWithProcess = false } = options
  const { answerTimeout = statementTimeout === 0 ? 0 : statementTimeout + 5_000 } = options
  const session = {
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    plan_cache_mode: 'force_generic_plan',
    // a list that is remembered has a dear plan that is not carried out: compiling it would take longer than anything else
    jit: 'off',
    statement_timeout: statementTimeout,
    lock_timeout: statementTimeout === 0 ? 0 : 10_000,
    idle_in_transaction_session_timeout: statementTimeout === 0 ? 0 : 60_000,
  }
  const settings = settingsOf(url, session)
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: 'stockroom',
    connectionTimeoutMillis: 10_000,
    query_timeout: answerTimeout,
    keepAlive: true,
    allowExitOnIdle: endsWithProcess,
    onConnect: async (client) => {
      await client.query(settings)
    },
  })
  // Without a listener the loss of an idle connection would end the process. The pool has dropped it already, and opens
  // another when one is needed.
  pool.on('error', (error) => onError?.(error))
  // Nor does the pool listen while a connection is lent: whoever holds it finds out with the next statement.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** A statement that sets what the options of the URL do not set themselves. */
function settingsOf(url: string, session: Record<string, string | number>): string {
  const options = new URLSearchParams(url.split('?', 2)[1]).get('options') ?? ''
  const given = [...options.matchAll(/(?:-c\s*|--)([\w.-]+)=/g)].map(([, name = '']) => name.replaceAll('-', '_').toLowerCase())
  const ours = Object.entries(session).filter(([name]) => !given.includes(name))
  return ours.map(([name, value]) => `set ${name} = '${value}'`).join(';')
}

/**
 * Checks that the database is one that Stockroom can work with.
 * @returns a warning about its encoding, or nothing
 * @throws OperatorError when it cannot be reached or is older than PostgreSQL 14
 */
export async function checkDatabase(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool
    .query<{ version: number; version_text: string; encoding: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
              current_setting('server_encoding') as encoding`,
    )
    .catch((error: Error) => {
      throw new OperatorError(`the database cannot be reached: ${reason(error)}`)
    })
  const [server] = rows
  if (!server) throw new Error('the database did not report its version')
  if (server.version < 140_000) {
    throw new OperatorError(`the database is PostgreSQL ${server.version_text}; Stockroom needs version 14 or newer`)
  }
  if (server.encoding === 'UTF8') return undefined
  return `the encoding of the database is ${server.encoding}, not UTF8: characters outside it will be rejected`
}

/** What went wrong, in one line: an error of several addresses has no message of its own. */
export function reason(error: Error): string {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error]
  return errors.map(({ message }) => message.replaceAll('\n', ' ')).join('; ')
}
