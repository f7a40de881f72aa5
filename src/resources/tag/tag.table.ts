import { pgTable, unique } from 'drizzle-orm/pg-core'
import { primaryKey, varchar } from '../../kit/sql/columns.ts'

/** A tag that objects have or can have. Triggers of the tagged tables add what is missing here. */
export const tag = pgTable(
  'tag',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
  },
  (table) => [unique('tag_name_key').on(table.name)],
)
