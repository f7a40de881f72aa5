import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, instant, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { buildOrder } from '../../build/build.table.ts'
import { salesOrder } from '../../order/so/so.table.ts'
import { transferOrder } from '../../order/transfer-order/transfer-order.table.ts'
import { part } from '../../part/part.table.ts'
import { userAccount } from '../../user/user-account.table.ts'

/**
 * Allocated stock that a count released because it found less than was allocated: history of the affected order, which outlives the stock
 * item. It refers to the item, the allocation and its target by key alone, as each may be deleted.
 */
export const releasedAllocation = pgTable(
  'released_allocation',
  {
    pk: primaryKey(),
    /** The affected order: exactly one of the three. */
    sales_order: reference(() => salesOrder.pk, 'cascade'),
    build: reference(() => buildOrder.pk, 'cascade'),
    transfer_order: reference(() => transferOrder.pk, 'cascade'),
    part: reference(() => part.pk, 'cascade').notNull(),
    stock_item: integer().notNull(),
    allocation: integer().notNull(),
    line: integer().notNull(),
    shipment: integer(),
    install_into: integer(),
    /** Released quantity, in units of the part. */
    quantity: quantity().notNull(),
    created: instant().notNull().default(sql`now()`),
    user: accountReference(() => userAccount.pk, 'set null'),
    /** Time at which the count was undone and the stock allocated again. */
    restored: instant(),
  },
  (table) => [
    index('released_allocation_sales_order_idx').on(table.sales_order, table.pk).where(sql`${table.sales_order} is not null`),
    index('released_allocation_build_idx').on(table.build, table.pk).where(sql`${table.build} is not null`),
    index('released_allocation_transfer_order_idx')
      .on(table.transfer_order, table.pk)
      .where(sql`${table.transfer_order} is not null`),
    index('released_allocation_part_idx').on(table.part),
    index('released_allocation_user_idx').on(table.user),
    check(
      'released_allocation_order_check',
      sql`num_nonnulls(${table.sales_order}, ${table.build}, ${table.transfer_order}) = 1`,
    ),
    check('released_allocation_quantity_check', sql`${table.quantity} > 0`),
  ],
)
