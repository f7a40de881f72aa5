import { integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { varchar } from '../../kit/sql/columns.ts'

/**
 * The object that each code stands for, unique across all types. Triggers on the tables of all types maintain it (`keep_codes`, ADR 0027).
 * If several objects were imported with the same code, only one has a row.
 */
export const linkedCode = pgTable(
  'linked_code',
  {
    hash: varchar(128).primaryKey(),
    /** Hash of the decoded form of the code, equal for every way in which scanners send it. Null after an update until the next start decodes it. */
    key: varchar(128),
    /** Type of the object, as codes and bodies name it. */
    kind: varchar(32).notNull(),
    /** Primary key of the object. */
    object: integer().notNull(),
  },
  (table) => [unique('linked_code_key_key').on(table.key)],
)
