import { mock } from 'node:test'
import pg from 'pg'

/** The functions and keywords with which statements read the clock of the database. */
const CLOCK =
  /(?<![\w.])(?:(?:pg_catalog\.)?(?:now|clock_timestamp|statement_timestamp)\(\)|current_timestamp\b|(current_date)\b)/gi

type Send = { query(text: string): void; parse(query: { text: string }, more: boolean): void }
/** Every connection of this process sends its statements by these methods of the driver. */
const connection = pg.Connection.prototype as unknown as Send

/**
 * Stops the clock of this process and of its database, which otherwise differ between runs in every date that a page shows. PostgreSQL has
 * no setting for that: the statements that this process sends name the time in place of reading the clock, and so do the defaults and
 * functions in the database. Timers go on. Other processes, such as those of plugins, are not affected.
 * @param time an instant in ISO format
 * @returns a function that starts the clock of this process; the database keeps its time
 */
export async function stopClock(pool: pg.Pool, time: string): Promise<() => void> {
  const replaceClock = (text: string) =>
    text.replace(CLOCK, (_, isDay?: string) => (isDay ? `'${time.slice(0, 10)}'::date` : `'${time}'::timestamptz`))
  for (const statement of await listClockReaders(pool)) await pool.query(replaceClock(statement))
  const { query, parse } = connection
  connection.query = function (text) {
    query.call(this, replaceClock(text))
  }
  connection.parse = function (statement, more) {
    parse.call(this, { ...statement, text: replaceClock(statement.text) }, more)
  }
  mock.timers.enable({ apis: ['Date'], now: Date.parse(time) })
  return () => {
    mock.timers.reset()
    Object.assign(connection, { query, parse })
  }
}

/** The statements that define the defaults and functions of the database which read its clock. */
async function listClockReaders(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>(
    `with reader as (
       select relnamespace as namespace,
              format('alter table %s alter column %I set default %s', adrelid::regclass, attname, pg_get_expr(adbin, adrelid)) as statement
       from pg_attrdef
       join pg_class on pg_class.oid = adrelid
       join pg_attribute on attrelid = adrelid and attnum = adnum
       where attgenerated = ''
       union all
       select pronamespace, pg_get_functiondef(oid) from pg_proc where prokind = 'f'
     )
     select statement from reader join pg_namespace on pg_namespace.oid = namespace
     where nspname not in ('pg_catalog', 'information_schema') and statement ~* $1
     order by statement`,
    [CLOCK.source.replaceAll('\\b', '\\y')],
  )
  return rows.map(({ statement }) => statement)
}
