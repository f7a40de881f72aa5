import { bigint, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { varchar } from './columns.ts'

/**
 * How many rows of a table lie in each place of a tree, in the place itself and not below it, spread over slots as change counters are:
 * each connection counts in a row of its own, so that those who put things into the same place never wait for each other, and nobody
 * touches the places above. `hold_by` in a migration has a table counted.
 */
export const holding = pgTable(
  'holding',
  {
    /** The table whose rows are counted. */
    of: varchar(63).notNull(),
    place: integer().notNull(),
    slot: integer().notNull(),
    /** Rows that came less rows that went. */
    rows: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ name: 'holding_pkey', columns: [table.of, table.place, table.slot] })],
)
