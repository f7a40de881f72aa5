import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, createOrderIndexes, day, reference, varcharNotNull } from '../../../kit/sql/columns.ts'
import { company } from '../../company/company.table.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { orderColumns, orderIndexes } from '../order.columns.ts'

/** An order of parts from a supplier. */
export const purchaseOrder = pgTable(
  'purchase_order',
  {
    ...orderColumns(),
    /** Null once the company is deleted. */
    supplier: reference(() => company.pk, 'set null'),
    /** The supplier's own reference of the order. */
    supplier_reference: varcharNotNull(64),
    /** The default destination of its goods, after that of the line. */
    destination: reference(() => stockLocation.pk, 'set null'),
    issue_date: day(),
    complete_date: day(),
    received_by: accountReference(() => userAccount.pk, 'set null'),
  },
  (table) => [
    ...orderIndexes(
      'purchase_order',
      table,
      { name: 'supplier', column: table.supplier },
      { all: sql`(10, 20, 25, 30, 40, 50, 60)`, open: sql`(10, 20, 25)` },
    ),
    ...createOrderIndexes('purchase_order', table.pk, table.complete_date),
    // labels of deliveries name placed orders, ignoring case
    index('purchase_order_placed_reference_idx').on(sql`upper(${table.reference})`).where(sql`${table.status} = 20`),
    index('purchase_order_placed_supplier_reference_idx')
      .on(sql`upper(${table.supplier_reference})`)
      .where(sql`${table.status} = 20`),
    index('purchase_order_destination_idx').on(table.destination).where(sql`${table.destination} is not null`),
    index('purchase_order_received_by_idx').on(table.received_by).where(sql`${table.received_by} is not null`),
  ],
)
