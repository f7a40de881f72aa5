import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'
import { moment, text } from '../../../kit/sql/columns.ts'

/** The run that fills an empty database with the demo workshop: one row, created by the first request. */
export const demoRun = pgTable(
  'demo_run',
  {
    only: boolean().primaryKey().default(true),
    /** Progress. It is 0 until the run starts, which happens once. */
    percent: integer().notNull().default(0),
    /** Time of the request, followed by that of the last heartbeat. */
    asked: moment().notNull().default(sql`now()`),
    heard: moment().notNull().default(sql`now()`),
    finished: moment(),
    /** Reason why it stopped before the end. */
    error: text(),
  },
  (table) => [check('demo_run_only_check', sql`${table.only}`)],
)
