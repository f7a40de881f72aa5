import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, instant, primaryKey, varchar, varcharNotNull } from '../../kit/sql/columns.ts'

/** Maximum characters of each text of an entry. */
export const MAX_TEXT_LENGTH = 250

/** An entry of the news feed. */
export const newsEntry = pgTable(
  'news_entry',
  {
    pk: primaryKey(),
    /** Identifier of the entry in the feed. */
    feed_id: varchar(MAX_TEXT_LENGTH).notNull(),
    title: varchar(MAX_TEXT_LENGTH).notNull(),
    link: varchar(MAX_TEXT_LENGTH).notNull(),
    published: instant().notNull(),
    author: varcharNotNull(MAX_TEXT_LENGTH),
    summary: varcharNotNull(MAX_TEXT_LENGTH),
    read: flag(false),
  },
  (table) => [unique('news_entry_feed_id_key').on(table.feed_id), index('news_entry_published_idx').on(table.published)],
)
