import { sql } from 'drizzle-orm'
import { check, integer, json, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, primaryKey, text } from '../../../kit/sql/columns.ts'

/** A run of the verification: the current one, and the last that ended. */
export const stockVerification = pgTable(
  'stock_verification',
  {
    pk: primaryKey(),
    requested: instant().notNull().default(sql`now()`),
    /** Time at which a process last started it. */
    started: instant(),
    finished: instant(),
    /** Number of completed checks. */
    done: integer().notNull().default(0),
    /** Findings of each check, once the run has succeeded. */
    findings: json(),
    /** Reason for a failed run. */
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
