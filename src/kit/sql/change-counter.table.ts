import { bigint, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { varchar } from './columns.ts'

/**
 * How often each table was changed, spread over slots. The sum of a table's slots tells whether a count that was made earlier
 * still holds. A slot belongs to one database connection, so that writers never wait for each other; slot 0 keeps the sum of
 * connections that ended.
 */
export const changeCounter = pgTable(
  'change_counter',
  {
    table_name: varchar(63).notNull(),
    slot: integer().notNull(),
    value: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ name: 'change_counter_pkey', columns: [table.table_name, table.slot] })],
)
