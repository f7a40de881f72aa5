import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import { instant, primaryKey, varchar, varcharNotNull } from '../../kit/sql/columns.ts'

/** Maximum characters of an error's message, its stack trace, and the requested URL. */
export const MAX_INFO_LENGTH = 500
export const MAX_DATA_LENGTH = 8_000
export const MAX_PATH_LENGTH = 200

/** An error of the service itself: a request that failed with 500, or a background job that failed for good. */
export const errorReport = pgTable(
  'error_report',
  {
    pk: primaryKey(),
    when: instant().notNull().default(sql`now()`),
    /** The error in one line. */
    info: varcharNotNull(MAX_INFO_LENGTH),
    /** Its stack trace. */
    data: varcharNotNull(MAX_DATA_LENGTH),
    /** Requested URL without its query; null for background work. */
    path: varchar(MAX_PATH_LENGTH),
    /** Id of the request or of the job. */
    request: varcharNotNull(36),
  },
  (table) => [index('error_report_when_idx').on(table.when), index('error_report_request_idx').on(table.request)],
)
