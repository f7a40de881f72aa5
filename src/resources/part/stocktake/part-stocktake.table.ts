import { sql } from 'drizzle-orm'
import { index, integer, pgTable } from 'drizzle-orm/pg-core'
import {
  accountReference,
  createOrderIndexes,
  currency,
  day,
  money,
  primaryKey,
  quantity,
  reference,
  varcharNotNull,
} from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { part } from '../part.table.ts'

/** Quantity and value of a part's stock, on a day. */
export const partStocktake = pgTable(
  'part_stocktake',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    item_count: integer().notNull().default(1),
    /** In the units of the part. */
    quantity: quantity().notNull(),
    date: day().notNull().default(sql`current_date`),
    note: varcharNotNull(250),
    user: accountReference(() => userAccount.pk, 'set null'),
    cost_min: money(),
    cost_min_currency: currency().notNull(),
    cost_max: money(),
    cost_max_currency: currency().notNull(),
  },
  (table) => [
    index('part_stocktake_part_idx').on(table.part, table.pk),
    ...createOrderIndexes('part_stocktake', table.pk, table.date, table.item_count, table.quantity, table.user),
  ],
)
