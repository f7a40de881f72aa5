import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'
import { moment, text } from '../../../kit/sql/columns.ts'

/** The filling of an empty database with the demo workshop: one row, made when it was first asked for. */
export const demoRun = pgTable(
  'demo_run',
  {
    only: boolean().primaryKey().default(true),
    /** How much is done. It is 0 until it is begun, which happens once. */
    percent: integer().notNull().default(0),
    /** When it was asked for, and when it was last heard of. */
    asked: moment().notNull().default(sql`now()`),
    heard: moment().notNull().default(sql`now()`),
    finished: moment(),
    /** Why it stopped half-way. */
    error: text(),
  },
  (table) => [check('demo_run_only_check', sql`${table.only}`)],
)
