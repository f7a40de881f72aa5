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
    /** How many rows were added, changed or removed, each time that one was. */
    row_changes: bigint({ mode: 'bigint' }).notNull().default(sql`0`),
    /**
     * The keys of those lately, at most 128, the last at the end: what changed since `row_changes` was less by at most as many. A statement
     * that touches more leaves none, so that what was known before is known no longer (ADR 0045).
     */
    latest: integer().array().notNull().default(sql`'{}'`),
  },
  (table) => [primaryKey({ name: 'change_counter_pkey', columns: [table.table_name, table.slot] })],
)
