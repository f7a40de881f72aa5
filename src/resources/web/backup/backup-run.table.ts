import { sql } from 'drizzle-orm'
import { check, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { flag, instant, primaryKey, text, varchar } from '../../../kit/sql/columns.ts'

/** A backup that the service makes: the current one, and the last that ended. */
export const backupRun = pgTable(
  'backup_run',
  {
    pk: primaryKey(),
    requested: instant().notNull().default(sql`now()`),
    /** Whether the schedule requested it. */
    is_automatic: flag(false),
    /** The part being written: `waiting`, `tables` or `files`. */
    phase: varchar(10).notNull().default('waiting'),
    /** Number of written tables or files, and of all of them. */
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    finished: instant(),
    /** Reason for a failed run. */
    failure: text(),
  },
  (table) => [
    uniqueIndex('backup_run_running_key').on(sql`(finished is null)`).where(sql`${table.finished} is null`),
    check('backup_run_phase_check', sql`${table.phase} in ('waiting', 'tables', 'files')`),
  ],
)
