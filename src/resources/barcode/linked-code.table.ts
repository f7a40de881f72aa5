import { integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { varchar } from '../../kit/sql/columns.ts'

/**
 * Which object each code stands for, over all kinds: two never have the same one. Triggers of the tables of all kinds keep it
 * (`keep_codes`, ADR 0027). Of objects that were imported with the same code only one has a row.
 */
export const linkedCode = pgTable(
  'linked_code',
  {
    hash: varchar(128).primaryKey(),
    /** The same over the decoded form of the code, equal however a scanner writes it. Null until the next start decodes it, after an update. */
    key: varchar(128),
    /** The kind of the object, as codes and bodies name it. */
    kind: varchar(32).notNull(),
    /** The primary key of the object. */
    object: integer().notNull(),
  },
  (table) => [unique('linked_code_key_key').on(table.key)],
)
