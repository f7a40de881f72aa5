import { sql } from 'drizzle-orm'
import { check, integer, json, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, primaryKey, text } from '../../../kit/sql/columns.ts'

/** A run of the verification: the one that is under way, and the last that ended. */
export const stockVerification = pgTable(
  'stock_verification',
  {
    pk: primaryKey(),
    requested: moment().notNull().default(sql`now()`),
    /** When a process took it up last. */
    started: moment(),
    finished: moment(),
    /** How many checks are done. */
    done: integer().notNull().default(0),
    /** What each check found, once it ended well. */
    findings: json(),
    /** Why it did not end well. */
    failure: text(),
  },
  (table) => [
    uniqueIndex('stock_verification_running_key').on(sql`(finished is null)`).where(sql`${table.finished} is null`),
    check(
      'stock_verification_result_check',
      sql`(${table.finished} is null) = (${table.findings} is null and ${table.failure} is null)`,
    ),
  ],
)
