import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, day, flag, reference } from '../../../kit/sql/columns.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { headerColumns, headerIndexes } from '../order.columns.ts'

/** An order to move stock to another location, or to use it up. */
export const transferOrder = pgTable(
  'transfer_order',
  {
    ...headerColumns(),
    /** The expected source location of the stock. */
    take_from: reference(() => stockLocation.pk, 'set null'),
    /** The destination, to which completion moves it. */
    destination: reference(() => stockLocation.pk, 'set null'),
    /** Whether completion uses the stock up instead of moving it. */
    consume: flag(false),
    issue_date: day(),
    complete_date: day(),
  },
  (table) => [
    ...headerIndexes('transfer_order', table, { all: sql`(10, 20, 25, 30, 40)`, open: sql`(10, 20, 25)` }),
    ...createOrderIndexes('transfer_order', table.pk, table.complete_date),
    index('transfer_order_take_from_idx').on(table.take_from).where(sql`${table.take_from} is not null`),
    index('transfer_order_destination_idx').on(table.destination).where(sql`${table.destination} is not null`),
  ],
)
