import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, day, reference, varcharNotNull } from '../../../kit/sql/columns.ts'
import { company } from '../../company/company.table.ts'
import { orderColumns, orderIndexes } from '../order.columns.ts'

/** A return from a customer. */
export const returnOrder = pgTable(
  'return_order',
  {
    ...orderColumns(),
    /** Null once the company is deleted. */
    customer: reference(() => company.pk, 'set null'),
    /** The customer's own reference of the return. */
    customer_reference: varcharNotNull(64),
    issue_date: day(),
    complete_date: day(),
  },
  (table) => [
    ...orderIndexes(
      'return_order',
      table,
      { name: 'customer', column: table.customer },
      { all: sql`(10, 20, 25, 30, 40)`, open: sql`(10, 20, 25)` },
    ),
    ...createOrderIndexes('return_order', table.pk, table.customer_reference, table.complete_date),
  ],
)
