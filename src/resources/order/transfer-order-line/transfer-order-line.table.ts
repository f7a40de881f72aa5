import { sql } from 'drizzle-orm'
import { check, index, pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, quantity, reference } from '../../../kit/sql/columns.ts'
import { part } from '../../part/part.table.ts'
import { lineColumns, lineIndexes } from '../order.columns.ts'
import { transferOrder } from '../transfer-order/transfer-order.table.ts'

/** A line of a transfer order: a quantity of a part. */
export const transferOrderLine = pgTable(
  'transfer_order_line',
  {
    ...lineColumns(() => transferOrder.pk),
    /** Null once the part is deleted. */
    part: reference(() => part.pk, 'set null'),
    /** Quantity moved or consumed, in the units of the part; `quantity` is the quantity ordered. */
    transferred: quantity().notNull().default('0'),
  },
  (table) => [
    index('transfer_order_line_order_idx').on(table.order, table.pk),
    index('transfer_order_line_part_idx').on(table.part, table.pk),
    ...createOrderIndexes('transfer_order_line', table.pk, table.quantity, table.reference, table.target_date, table.transferred),
    ...lineIndexes('transfer_order_line', table),
    check('transfer_order_line_quantity_check', sql`${table.quantity} >= 0`),
    check('transfer_order_line_transferred_check', sql`${table.transferred} >= 0`),
  ],
)
