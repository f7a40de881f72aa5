import { sql } from 'drizzle-orm'
import { check, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, instant, metadata, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { buildLine } from '../line/build-line.table.ts'

/** A quantity of a stock item that is allocated to a build line, or to one of the order's outputs. */
export const buildAllocation = pgTable(
  'build_allocation',
  {
    pk: primaryKey(),
    build_line: reference(() => buildLine.pk, 'cascade').notNull(),
    stock_item: reference(() => stockItem.pk, 'cascade').notNull(),
    /** In the units of the part. */
    quantity: quantity().notNull().default('1'),
    /** The output that it is installed in; null for a component that is not tracked. */
    install_into: reference(() => stockItem.pk, 'cascade'),
    /** Whether its build order is active, so that it counts in `stock_item.allocated_to_build_orders`. Imported allocations may be of closed build orders. */
    is_open: flag(true),
    /** Time of the allocation: a stock count that finds too little releases the newest first. */
    created: instant().notNull().default(sql`now()`),
    metadata: metadata(),
  },
  (table) => [
    unique('build_allocation_key').on(table.build_line, table.stock_item, table.install_into).nullsNotDistinct(),
    index('build_allocation_stock_item_idx').on(table.stock_item, table.pk),
    index('build_allocation_install_into_idx').on(table.install_into).where(sql`${table.install_into} is not null`),
    check('build_allocation_quantity_check', sql`${table.quantity} > 0`),
  ],
)
