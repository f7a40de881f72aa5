import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { primaryKey, text, textArray, varchar } from '../../../kit/sql/columns.ts'

/** A part of a template that other templates include by its file name. */
export const reportSnippet = pgTable(
  'report_snippet',
  {
    pk: primaryKey(),
    /** A path below the media folder, or a URL as entered. */
    snippet: text().notNull(),
    /** File name of the upload, by which templates find it; null for a URL. */
    filename: varchar(255),
    description: varchar(250).notNull(),
    /** Problems that prevent including it: unknown tags and filters. */
    problems: textArray().notNull().default(sql`'{}'`),
  },
  (table) => [
    unique('report_snippet_filename_key').on(table.filename),
    index('report_snippet_snippet_idx').using('hash', table.snippet),
  ],
)
