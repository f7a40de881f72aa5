import type { Tx } from '../../../kit/sql/tx.ts'
import { lockStockItemsOf } from '../../stock/movement/locked-items.ts'

/** What allocations go with: their lines, their shipments, or the orders of their lines. */
type Owner = 'line' | 'shipment' | 'order'

const of: Record<Owner, string> = {
  line: 'line = any($1::integer[])',
  shipment: 'shipment = any($1::integer[])',
  order: 'line in (select pk from sales_order_line where "order" = any($1::integer[]))',
}

/** The parts of lines that go, or whose order is closed: they are required no more. */
const partsOf: Record<Owner, string | undefined> = {
  line: 'select part from sales_order_line where pk = any($2::integer[])',
  shipment: undefined,
  order: 'select part from sales_order_line where "order" = any($2::integer[])',
}

/**
 * Locks the stock items of which something is put by for these, in the order of their keys, and the sums that change with them; to be called
 * when their orders are locked. Whoever deletes allocations holds their items, as does whoever moves stock: both come to an allocation by
 * its item.
 */
export async function lockPutBy(tx: Tx, owner: Owner, pks: readonly number[]): Promise<void> {
  const text = partsOf[owner]
  await lockStockItemsOf(tx, `select item from sales_order_allocation where is_open and ${of[owner]}`, [pks], {
    parts: text === undefined ? undefined : { text, values: [pks] },
  })
}

/** Gives back what is put by for an order, which is locked. What has left with it stays written down. */
export async function releaseAllocations(tx: Tx, order: number): Promise<void> {
  await lockPutBy(tx, 'order', [order])
  await tx.query(`delete from sales_order_allocation where is_open and ${of.order}`, [[order]])
}
