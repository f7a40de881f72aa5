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
     * The keys of those lately, the last at the end; before them come those of `changed_keys`. A statement that touches more than 128 rows
     * leaves none: what was known before is known no longer (ADR 0045).
     */
    latest: integer().array().notNull().default(sql`'{}'`),
  },
  (table) => [primaryKey({ name: 'change_counter_pkey', columns: [table.table_name, table.slot] })],
)

/**
 * The keys of rows that were changed before those of `change_counter.latest`: what a slot had gathered there, the last sixteen times that
 * it was much. Kept apart, as each change of a row of counters makes another version of it, which is to be short.
 */
export const changedKeys = pgTable(
  'changed_keys',
  {
    table_name: varchar(63).notNull(),
    slot: integer().notNull(),
    /** Which of the sixteen it is. */
    place: integer().notNull(),
    /** `change_counter.row_changes` with the last of them. */
    upto: bigint({ mode: 'bigint' }).notNull(),
    keys: integer().array().notNull(),
  },
  (table) => [primaryKey({ name: 'changed_keys_pkey', columns: [table.table_name, table.slot, table.place] })],
)
