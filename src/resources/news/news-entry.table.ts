import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, instant, primaryKey, varchar } from '../../kit/sql/columns.ts'

/** Maximum characters of each text of an entry. */
export const MAX_TEXT = 250

/** An entry of the news feed. */
export const newsEntry = pgTable(
  'news_entry',
  {
    pk: primaryKey(),
    /** Identifier of the entry in the feed. */
    feed_id: varchar(MAX_TEXT).notNull(),
    title: varchar(MAX_TEXT).notNull(),
    link: varchar(MAX_TEXT).notNull(),
    published: instant().notNull(),
    author: filledVarchar(MAX_TEXT),
    summary: filledVarchar(MAX_TEXT),
    read: flag(false),
  },
  (table) => [unique('news_entry_feed_id_key').on(table.feed_id), index('news_entry_published_idx').on(table.published)],
)
