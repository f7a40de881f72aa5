import { index, integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { primaryKey, varchar } from '../../../../kit/sql/columns.ts'

/** A status that this installation adds: objects with it have the logical status of a built-in one, under a label of its own. */
export const customState = pgTable(
  'custom_state',
  {
    pk: primaryKey(),
    /** The status table that it belongs to, such as `StockStatus`. */
    reference_status: varchar(250).notNull(),
    /** The built-in status whose rules apply. */
    logical_key: integer().notNull(),
    /** Its own number, which is not that of a built-in status. */
    key: integer().notNull(),
    name: varchar(250).notNull(),
    label: varchar(250).notNull(),
    color: varchar(10).notNull().default('secondary'),
  },
  (table) => [
    unique('custom_state_key_key').on(table.reference_status, table.key),
    unique('custom_state_name_key').on(table.reference_status, table.name),
    index('custom_state_order_idx').on(table.key, table.pk),
  ],
)
