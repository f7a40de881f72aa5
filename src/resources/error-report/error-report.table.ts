import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, moment, primaryKey, varchar } from '../../kit/sql/columns.ts'

/** The most characters of what an error says, of where it came up, and of the address that was asked for. */
export const MAX_INFO = 500
export const MAX_DATA = 8_000
export const MAX_PATH = 200

/** Something that went wrong in the service itself: a request that was answered with 500, or background work that was given up. */
export const errorReport = pgTable(
  'error_report',
  {
    pk: primaryKey(),
    when: moment().notNull().default(sql`now()`),
    /** What went wrong, in a line. */
    info: filledVarchar(MAX_INFO),
    /** Where in the program it did. */
    data: filledVarchar(MAX_DATA),
    /** The address that was asked for, without its query; null for background work. */
    path: varchar(MAX_PATH),
    /** The id of the request, or of the job. */
    request: filledVarchar(36),
  },
  (table) => [index('error_report_when_idx').on(table.when), index('error_report_request_idx').on(table.request)],
)
