import { sql } from 'drizzle-orm'
import { index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, moment, primaryKey, quantity, reference, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { stockItem } from '../stock-item.table.ts'

/** One entry in the history of a stock item: what was done, by whom, and the values after it. */
export const stockTracking = pgTable(
  'stock_tracking',
  {
    pk: primaryKey(),
    item: reference(() => stockItem.pk, 'cascade').notNull(),
    /** Stock history code. */
    tracking_type: integer().notNull().default(0),
    date: moment().notNull().default(sql`now()`),
    notes: varchar(512),
    user: accountReference(() => userAccount.pk, 'set null'),
    /** What changed, by name. */
    deltas: json().notNull().default({}),
    /**
     * By how much the quantity of the item changed. Null for what is no part of its account (ADR 0015): what happened before that began,
     * or to the item that it was taken off. No client sees it.
     */
    quantity_change: quantity(),
    /**
     * Of an entry that takes others back: the newest entry before these, from which the item goes on as if they had not been; 0 for none.
     * No client sees it.
     */
    back_to: integer(),
  },
  (table) => [
    index('stock_tracking_date_idx').on(table.date, table.pk),
    index('stock_tracking_item_idx').on(table.item, table.date, table.pk),
    index('stock_tracking_user_idx').on(table.user),
  ],
)
