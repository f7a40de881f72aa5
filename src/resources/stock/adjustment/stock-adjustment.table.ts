import { sql } from 'drizzle-orm'
import { index, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, moment, uuid, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** What was moved, counted, added, removed, given another state or received, where whoever did it asked to be able to take it back. Kept for a day. */
export const stockAdjustment = pgTable(
  'stock_adjustment',
  {
    id: uuid().primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    created: moment().notNull().default(sql`now()`),
    /** `move`, `count`, `add`, `remove` or `status`; `receive` for a delivery. */
    action: varchar(10).notNull(),
    /** The items as they were found, and all as they were left: `ItemState` of each. */
    before: json().notNull(),
    after: json(),
    /** What is put back of each item that changed: `Known`; of a delivery what else is. */
    items: json(),
    undone: moment(),
  },
  (table) => [index('stock_adjustment_user_idx').on(table.user), index('stock_adjustment_created_idx').on(table.created)],
)
