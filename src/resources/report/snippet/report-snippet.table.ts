import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { primaryKey, text, textArray, varchar } from '../../../kit/sql/columns.ts'

/** A piece of a template that other templates include by the name of its file. */
export const reportSnippet = pgTable(
  'report_snippet',
  {
    pk: primaryKey(),
    /** A path below the media folder, or an address that is kept as it was given. */
    snippet: text().notNull(),
    /** The name under which the file was sent, by which templates find it; none of a kept address. */
    filename: varchar(255),
    description: varchar(250).notNull(),
    /** What keeps it from being included: tags and filters that there are not. */
    problems: textArray().notNull().default(sql`'{}'`),
  },
  (table) => [
    unique('report_snippet_filename_key').on(table.filename),
    index('report_snippet_snippet_idx').using('hash', table.snippet),
  ],
)
