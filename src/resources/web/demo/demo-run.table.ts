import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'
import { instant, text } from '../../../kit/sql/columns.ts'

/** The run that fills an empty database with the demo workshop: one row, created by the first request. */
export const demoRun = pgTable(
  'demo_run',
  {
    only: boolean().primaryKey().default(true),
    /** Progress. It is 0 until the run starts, which happens once. */
    percent: integer().notNull().default(0),
    /** Time of the request, followed by that of the last heartbeat. */
    asked: instant().notNull().default(sql`now()`),
    heard: instant().notNull().default(sql`now()`),
    finished: instant(),
    /** Reason why it stopped before the end. */
    error: text(),
  },
  (table) => [check('demo_run_only_check', sql`${table.only}`)],
)
