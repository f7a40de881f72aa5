import { sql } from 'drizzle-orm'
import { check, index, pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, flag, instant, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { transferOrderLine } from '../transfer-order-line/transfer-order-line.table.ts'

/** A quantity of a stock item that is allocated to a line of a transfer order, or was moved or consumed with it. */
export const transferOrderAllocation = pgTable(
  'transfer_order_allocation',
  {
    pk: primaryKey(),
    line: reference(() => transferOrderLine.pk, 'cascade').notNull(),
    item: reference(() => stockItem.pk, 'cascade').notNull(),
    /** In the units of the part. */
    quantity: quantity().notNull().default('1'),
    /** Whether its order is open, so that it counts in `stock_item.allocated_to_transfer_orders`. */
    is_open: flag(true),
    /** Time of the allocation: a stock count that finds too little releases the newest first. */
    created: instant().notNull().default(sql`now()`),
  },
  (table) => [
    index('transfer_order_allocation_line_idx').on(table.line, table.pk),
    index('transfer_order_allocation_item_idx').on(table.item, table.pk),
    ...createOrderIndexes('transfer_order_allocation', table.pk, table.quantity),
    check('transfer_order_allocation_quantity_check', sql`${table.quantity} > 0`),
  ],
)
