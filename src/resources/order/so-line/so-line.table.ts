import { sql } from 'drizzle-orm'
import { check, index, pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, currency, money, quantity, reference } from '../../../kit/sql/columns.ts'
import { part } from '../../part/part.table.ts'
import { discount, discountCheck, lineColumns, lineIndexes } from '../order.columns.ts'
import { salesOrder } from '../so/so.table.ts'

/** A line of a sales order: a quantity of a part. */
export const salesOrderLine = pgTable(
  'sales_order_line',
  {
    ...lineColumns(() => salesOrder.pk),
    /** Null once the part is deleted. */
    part: reference(() => part.pk, 'set null'),
    /** Quantity shipped, in the units of the part; `quantity` is the quantity ordered. */
    shipped: quantity().notNull().default('0'),
    /** Price of one unit of the part. */
    sale_price: money(),
    sale_price_currency: currency().notNull(),
    discount: discount(),
  },
  (table) => [
    index('sales_order_line_order_idx').on(table.order, table.pk),
    index('sales_order_line_part_idx').on(table.part, table.pk),
    ...createOrderIndexes('sales_order_line', table.pk, table.quantity, table.reference, table.sale_price, table.target_date),
    ...lineIndexes('sales_order_line', table),
    discountCheck('sales_order_line', table.discount),
    check('sales_order_line_quantity_check', sql`${table.quantity} >= 0`),
    check('sales_order_line_shipped_check', sql`${table.shipped} >= 0`),
  ],
)
