import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { moment, text } from '../sql/columns.ts'

/** Stored files that perhaps no row names: those that are arriving, and those whose row is gone. */
export const looseFile = pgTable('loose_file', {
  path: text().primaryKey(),
  /** Since when. What a row named before, and let go, may be removed at once, and stands here since ever. */
  since: moment().notNull().default(sql`now()`),
})
