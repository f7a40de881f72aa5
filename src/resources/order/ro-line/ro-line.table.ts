import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { createOrderIndexes, currency, day, money, reference } from '../../../kit/sql/columns.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { discount, discountCheck, lineColumns, lineIndexes } from '../order.columns.ts'
import { returnOrder } from '../ro/ro.table.ts'

/** A stock item of a return order, and how much of it is returned. */
export const returnOrderLine = pgTable(
  'return_order_line',
  {
    ...lineColumns(() => returnOrder.pk),
    item: reference(() => stockItem.pk, 'cascade').notNull(),
    /** Day on which it was received; null before. */
    received_date: day(),
    /** Outcome of the item, a code of `RO_LINE_STATUS`. */
    outcome: integer().notNull().default(10),
    /** Amount charged or refunded for it. */
    price: money(),
    price_currency: currency().notNull(),
    discount: discount(),
  },
  (table) => [
    index('return_order_line_order_idx').on(table.order, table.pk),
    index('return_order_line_item_idx').on(table.item, table.pk),
    ...createOrderIndexes('return_order_line', table.pk, table.quantity, table.received_date, table.reference, table.target_date),
    unique('return_order_line_order_item_key').on(table.order, table.item),
    ...lineIndexes('return_order_line', table),
    discountCheck('return_order_line', table.discount),
    check('return_order_line_quantity_check', sql`${table.quantity} >= 0`),
    check('return_order_line_outcome_check', sql`${table.outcome} in (10, 20, 30, 40, 50, 60)`),
  ],
)
