import { bigint, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { varchar } from './columns.ts'

/**
 * The number of a table's rows in each node of a tree, in the node itself and not below it, spread over slots like the change counters:
 * each connection counts in a row of its own, so that transactions that add to the same node never wait for each other, and the nodes above
 * are not touched. `hold_by` in a migration turns counting on for a table.
 */
export const treeNodeCount = pgTable(
  'holding',
  {
    /** The table whose rows are counted. */
    of: varchar(63).notNull(),
    place: integer().notNull(),
    slot: integer().notNull(),
    /** Rows added minus rows removed. */
    rows: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ name: 'holding_pkey', columns: [table.of, table.place, table.slot] })],
)
