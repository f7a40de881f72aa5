import { sql } from 'drizzle-orm'
import { index, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, instant, uuid, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** Transfers, counts, additions, removals, status changes and receipts that were requested as undoable. Deleted after a day. */
export const stockAdjustment = pgTable(
  'stock_adjustment',
  {
    id: uuid().primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    created: instant().notNull().default(sql`now()`),
    /** `move`, `count`, `add`, `remove` or `status`; `receive` for a delivery. */
    action: varchar(10).notNull(),
    /** States of the changed items before, and of all items afterwards: `ItemState` of each. */
    before: json().notNull(),
    after: json(),
    /** Values to restore for each changed item: `AdjustedItem`; for a delivery its other data. */
    items: json(),
    undone: instant(),
  },
  (table) => [index('stock_adjustment_user_idx').on(table.user), index('stock_adjustment_created_idx').on(table.created)],
)
