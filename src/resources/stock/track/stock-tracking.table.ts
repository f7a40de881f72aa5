import { sql } from 'drizzle-orm'
import { index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, instant, primaryKey, quantity, reference, varchar } from '../../../kit/sql/columns.ts'
import { part } from '../../part/part.table.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { stockItem } from '../stock-item.table.ts'

/** One entry in the history of a stock item: the action, its author, and the values after it. */
export const stockTracking = pgTable(
  'stock_tracking',
  {
    pk: primaryKey(),
    /** Null once the item is gone. */
    item: reference(() => stockItem.pk, 'set null'),
    /** The part of an item that is gone: a trigger fills it in when the item is deleted, so that the entry stays in the history of the part. */
    part: reference(() => part.pk, 'cascade'),
    /** Stock history code. */
    tracking_type: integer().notNull().default(0),
    date: instant().notNull().default(sql`now()`),
    notes: varchar(512),
    user: accountReference(() => userAccount.pk, 'set null'),
    /** Changed values, by name. */
    deltas: json().notNull().default({}),
    /**
     * Change of the item's quantity. Null for entries that do not add up to its balance (ADR 0015): those from before its opening balance,
     * and those of the item that it was split from. Not exposed to clients.
     */
    quantity_change: quantity(),
    /**
     * In an entry that undoes others: the newest entry before these, from which the item continues as if they had not happened; 0 for none.
     * Not exposed to clients.
     */
    back_to: integer(),
  },
  (table) => [
    index('stock_tracking_date_idx').on(table.date, table.pk),
    index('stock_tracking_item_idx').on(table.item, table.date, table.pk),
    index('stock_tracking_part_idx').on(table.part, table.date, table.pk).where(sql`${table.part} is not null`),
    index('stock_tracking_user_idx').on(table.user),
  ],
)
