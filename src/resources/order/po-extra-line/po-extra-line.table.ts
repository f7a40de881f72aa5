import { index, json, pgTable } from 'drizzle-orm/pg-core'
import { currency, day, filledVarchar, metadata, money, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { purchaseOrder } from '../po/po.table.ts'

/** A line of a purchase order that is no part, such as freight. It may be negative, such as a discount. */
export const purchaseOrderExtraLine = pgTable(
  'purchase_order_extra_line',
  {
    pk: primaryKey(),
    order: reference(() => purchaseOrder.pk, 'cascade').notNull(),
    reference: filledVarchar(100),
    description: filledVarchar(250),
    quantity: quantity().notNull().default('1'),
    /** Price of one. */
    price: money(),
    price_currency: currency().notNull(),
    target_date: day(),
    /** Any JSON, for other programs. */
    context: json(),
    notes: filledVarchar(500),
    link: filledVarchar(200),
    metadata: metadata(),
  },
  (table) => [index('purchase_order_extra_line_order_idx').on(table.order, table.pk)],
)
