import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { varchar } from './columns.ts'

/**
 * How often each table was changed and how many rows it has, spread over slots. The sum of a table's slots tells whether what was
 * read earlier still holds. A slot belongs to one database connection, so that writers never wait for each other; slot 0 keeps the
 * sum of connections that ended. Slot -1 is there after TRUNCATE, until the rows are counted anew.
 */
export const changeCounter = pgTable(
  'change_counter',
  {
    table_name: varchar(63).notNull(),
    slot: integer().notNull(),
    value: bigint({ mode: 'bigint' }).notNull(),
    /** Rows added less rows removed: the sum of a table's slots is how many rows it has. */
    rows: bigint({ mode: 'bigint' }).notNull().default(sql`0`),
  },
  (table) => [primaryKey({ name: 'change_counter_pkey', columns: [table.table_name, table.slot] })],
)
