import pg from 'pg'
import { OperatorError } from '../operator-error.ts'

export type PoolOptions = {
  /** Statement timeout in milliseconds; 0 for no limit, as an import needs it. 30 seconds by default. */
  statementTimeout?: number
  /**
   * Milliseconds after which a statement without a response counts as lost: PostgreSQL would have canceled it before that, so PostgreSQL,
   * its machine or the network hangs. 5 seconds above `statementTimeout` by default; 0 for no limit.
   */
  responseTimeout?: number
  /** Called with the error of an idle connection that broke, for the log. */
  onError?: (error: Error) => void
  /** Whether the process may exit while idle connections are open, for tests. */
  canExitWhileIdle?: boolean
}

const OIDS = { int8: 20, date: 1082, timestamp: 1114, timestamptz: 1184, numeric: 1700 }
const ARRAY_OIDS = { text: 1009, int8: 1016, timestamp: 1115, date: 1182, timestamptz: 1185, numeric: 1231 }

type Parser = (text: string) => unknown

const parseText: Parser = (text) => text

/** Parses an exact integer as a number, and leaves others as text. */
const parseInteger: Parser = (text) => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(ARRAY_OIDS.text)

/** Parses a one-dimensional array. */
const createArrayParser =
  (parse: Parser): Parser =>
  (text) =>
    parseTextArray(text).map((item) => (item === null ? null : parse(item)))

// Dates, timestamps and decimals stay strings as PostgreSQL returns them: a JavaScript Date would convert them to the time zone of the
// machine and drop the microseconds, and a number would round them.
const parsers = new Map<number, Parser>([
  [OIDS.int8, parseInteger],
  [OIDS.date, parseText],
  [OIDS.timestamp, parseText],
  [OIDS.timestamptz, parseText],
  [OIDS.numeric, parseText],
  [ARRAY_OIDS.int8, createArrayParser(parseInteger)],
  [ARRAY_OIDS.date, createArrayParser(parseText)],
  [ARRAY_OIDS.timestamp, createArrayParser(parseText)],
  [ARRAY_OIDS.timestamptz, createArrayParser(parseText)],
  [ARRAY_OIDS.numeric, createArrayParser(parseText)],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format as 'text'),
}

/**
 * The connection pool. It connects on the first query. Every session is in UTC, with timeouts for statements, locks, and idle transactions.
 * A statement sets these as soon as a connection is open: poolers reject options in the startup packet, or drop them silently.
 * @param url of a PostgreSQL database; `options` in its query are kept and override these settings
 * @param size maximum number of open connections
 */
export function createPool(url: string, size: number, options: PoolOptions = {}): pg.Pool {
  const { statementTimeout = 30_000, onError, canExitWhileIdle = false } = options
  const { responseTimeout = statementTimeout === 0 ? 0 : statementTimeout + 5_000 } = options
  const session = {
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    plan_cache_mode: 'force_generic_plan',
    // the plan of a cached list looks expensive but is not executed: compiling it would take longer than the rest of the request
    jit: 'off',
    statement_timeout: statementTimeout,
    lock_timeout: statementTimeout === 0 ? 0 : 10_000,
    idle_in_transaction_session_timeout: statementTimeout === 0 ? 0 : 60_000,
  }
  const settings = buildSettingsStatement(url, session)
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: 'stockroom',
    connectionTimeoutMillis: 10_000,
    query_timeout: responseTimeout,
    keepAlive: true,
    allowExitOnIdle: canExitWhileIdle,
    onConnect: async (client) => {
      await client.query(settings)
    },
  })
  // Without a listener the loss of an idle connection would end the process. The pool has dropped the connection already, and opens another
  // when needed.
  pool.on('error', (error) => onError?.(error))
  // The pool does not listen while a connection is in use. The next statement on that connection reports the error.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** A statement that sets the settings not given in the options of the URL. */
function buildSettingsStatement(url: string, session: Record<string, string | number>): string {
  const options = new URLSearchParams(url.split('?', 2)[1]).get('options') ?? ''
  const configuredNames = [...options.matchAll(/(?:-c\s*|--)([\w.-]+)=/g)].map(([, name = '']) =>
    name.replaceAll('-', '_').toLowerCase(),
  )
  const defaults = Object.entries(session).filter(([name]) => !configuredNames.includes(name))
  return defaults.map(([name, value]) => `set ${name} = '${value}'`).join(';')
}

/**
 * Checks that the database is supported by Stockroom.
 * @returns a warning about its encoding, or nothing
 * @throws OperatorError when it cannot be reached or is older than PostgreSQL 15
 */
export async function checkDatabase(database: pg.Pool | pg.Client): Promise<string | undefined> {
  const { rows } = await database
    .query<{ version: number; version_text: string; encoding: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
              current_setting('server_encoding') as encoding`,
    )
    .catch((error: Error) => {
      throw new OperatorError(`the database cannot be reached: ${formatReason(error)}`)
    })
  const [server] = rows
  if (!server) throw new Error('the database did not report its version')
  if (server.version < 150_000) {
    throw new OperatorError(`the database is PostgreSQL ${server.version_text}; Stockroom needs version 15 or newer`)
  }
  if (server.encoding === 'UTF8') return undefined
  return `the encoding of the database is ${server.encoding}, not UTF8: characters outside it will be rejected`
}

/** The reason for an error, in one line. An error for several addresses has no message of its own. */
export function formatReason(error: Error): string {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error]
  return errors.map(({ message }) => message.replaceAll('\n', ' ')).join('; ')
}
