import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { varchar } from './columns.ts'

/**
 * The number of changes and of rows of each table, spread over slots. The sum of a table's slots shows whether a cached result is still
 * valid. A slot belongs to one database connection, so that writers never wait for each other; slot 0 holds the sum of connections that
 * ended. Slot -1 exists after TRUNCATE, until the rows have been counted.
 */
export const changeCounter = pgTable(
  'change_counter',
  {
    table_name: varchar(63).notNull(),
    slot: integer().notNull(),
    value: bigint({ mode: 'bigint' }).notNull(),
    /** Rows added minus rows removed: the sum of a table's slots is its number of rows. */
    rows: bigint({ mode: 'bigint' }).notNull().default(sql`0`),
  },
  (table) => [primaryKey({ name: 'change_counter_pkey', columns: [table.table_name, table.slot] })],
)
