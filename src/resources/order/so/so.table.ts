import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, createOrderIndexes, day, reference, varcharNotNull } from '../../../kit/sql/columns.ts'
import { company } from '../../company/company.table.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { orderColumns, orderIndexes } from '../order.columns.ts'

/** An order of parts from a customer. */
export const salesOrder = pgTable(
  'sales_order',
  {
    ...orderColumns(),
    /** Null once the company is deleted. */
    customer: reference(() => company.pk, 'set null'),
    /** The customer's own reference of the order. */
    customer_reference: varcharNotNull(64),
    issue_date: day(),
    /** Day on which it was completed. */
    shipment_date: day(),
    shipped_by: accountReference(() => userAccount.pk, 'set null'),
  },
  (table) => [
    ...orderIndexes(
      'sales_order',
      table,
      { name: 'customer', column: table.customer },
      { all: sql`(10, 15, 20, 25, 40, 50, 60)`, open: sql`(10, 15, 25)` },
    ),
    index('sales_order_shipped_by_idx').on(table.shipped_by).where(sql`${table.shipped_by} is not null`),
    ...createOrderIndexes('sales_order', table.pk, table.customer_reference, table.shipment_date),
  ],
)
