import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { instant, text } from '../sql/columns.ts'

/** Stored files that may have no row naming them: those being uploaded, and those whose row was deleted. */
export const looseFile = pgTable('loose_file', {
  path: text().primaryKey(),
  /** Start of that state. Files that a row no longer names may be deleted immediately, and have the earliest possible time. */
  since: instant().notNull().default(sql`now()`),
})
