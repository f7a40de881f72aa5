import { sql } from 'drizzle-orm'
import { check, index, pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, currency, money, quantity, reference } from '../../../kit/sql/columns.ts'
import { buildOrder } from '../../build/build.table.ts'
import { supplierPart } from '../../company/part/supplier-part.table.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { discount, discountCheck, lineColumns, lineIndexes } from '../order.columns.ts'
import { purchaseOrder } from '../po/po.table.ts'

/** A line of a purchase order: a number of packs of a supplier part. */
export const purchaseOrderLine = pgTable(
  'purchase_order_line',
  {
    ...lineColumns(() => purchaseOrder.pk),
    /** The supplier part. Null once it is deleted. */
    part: reference(() => supplierPart.pk, 'set null'),
    /** Packs received; `quantity` is the number ordered. */
    received: quantity().notNull().default('0'),
    /** Price of one pack. */
    purchase_price: money(),
    purchase_price_currency: currency().notNull(),
    discount: discount(),
    /** The default destination for receiving it. */
    destination: reference(() => stockLocation.pk, 'set null'),
    /** The build order that the supplier carries out: the line orders what it makes. */
    build_order: reference(() => buildOrder.pk, 'set null'),
  },
  (table) => [
    index('purchase_order_line_order_idx').on(table.order, table.pk),
    index('purchase_order_line_part_idx').on(table.part, table.pk),
    ...createOrderIndexes(
      'purchase_order_line',
      table.pk,
      table.quantity,
      table.received,
      table.reference,
      table.purchase_price,
      table.target_date,
    ),
    index('purchase_order_line_destination_idx').on(table.destination).where(sql`${table.destination} is not null`),
    ...lineIndexes('purchase_order_line', table),
    discountCheck('purchase_order_line', table.discount),
    index('purchase_order_line_build_order_idx').on(table.build_order).where(sql`${table.build_order} is not null`),
    check('purchase_order_line_quantity_check', sql`${table.quantity} >= 0`),
    check('purchase_order_line_received_check', sql`${table.received} >= 0`),
  ],
)
