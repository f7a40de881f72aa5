import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, instant, primaryKey, varchar } from '../../kit/sql/columns.ts'

/** Maximum characters of an error's message, its place in the program, and the requested URL. */
export const MAX_INFO = 500
export const MAX_DATA = 8_000
export const MAX_PATH = 200

/** An error in the service itself: a request that failed with 500, or background work that was given up. */
export const errorReport = pgTable(
  'error_report',
  {
    pk: primaryKey(),
    when: instant().notNull().default(sql`now()`),
    /** The error in one line. */
    info: filledVarchar(MAX_INFO),
    /** Its place in the program. */
    data: filledVarchar(MAX_DATA),
    /** Requested URL without its query; null for background work. */
    path: varchar(MAX_PATH),
    /** Id of the request or of the job. */
    request: filledVarchar(36),
  },
  (table) => [index('error_report_when_idx').on(table.when), index('error_report_request_idx').on(table.request)],
)
