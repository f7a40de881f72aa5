import { sql } from 'drizzle-orm'
import { check, index, pgTable } from 'drizzle-orm/pg-core'
import { flag, instant, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { salesOrderShipment } from '../so/shipment/shipment.table.ts'
import { salesOrderLine } from '../so-line/so-line.table.ts'

/** A quantity of a stock item that is allocated to a line of a sales order, or was shipped with it. */
export const salesOrderAllocation = pgTable(
  'sales_order_allocation',
  {
    pk: primaryKey(),
    line: reference(() => salesOrderLine.pk, 'cascade').notNull(),
    /** The shipment that it ships with. Imported allocations may have none. */
    shipment: reference(() => salesOrderShipment.pk, 'cascade'),
    item: reference(() => stockItem.pk, 'cascade').notNull(),
    /** In the units of the part. */
    quantity: quantity().notNull().default('1'),
    /** Whether the goods are still in stock, and wait for a shipment of an open order: they count in `stock_item.allocated_to_sales_orders`. */
    is_open: flag(true),
    /** Time of the allocation: a stock count that finds too little releases the newest first. */
    created: instant().notNull().default(sql`now()`),
  },
  (table) => [
    index('sales_order_allocation_line_idx').on(table.line, table.pk),
    index('sales_order_allocation_shipment_idx').on(table.shipment, table.pk),
    index('sales_order_allocation_item_idx').on(table.item, table.pk),
    check('sales_order_allocation_quantity_check', sql`${table.quantity} > 0`),
  ],
)
