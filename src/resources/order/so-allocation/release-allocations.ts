import type { Tx } from '../../../kit/sql/tx.ts'
import { lockStockItemsByQuery } from '../../stock/movement/locked-items.ts'

/** Owners that allocations are deleted with: their lines, their shipments, or the orders of their lines. */
type Owner = 'line' | 'shipment' | 'order'

const OWNER_CONDITIONS: Record<Owner, string> = {
  line: 'line = any($1::integer[])',
  shipment: 'shipment = any($1::integer[])',
  order: 'line in (select pk from sales_order_line where "order" = any($1::integer[]))',
}

/** The parts of lines that are deleted, or whose order is closed: they are no longer required. */
const SELECT_PARTS: Record<Owner, string | undefined> = {
  line: 'select part from sales_order_line where pk = any($2::integer[])',
  shipment: undefined,
  order: 'select part from sales_order_line where "order" = any($2::integer[])',
}

/**
 * Locks the stock items with allocations of these owners, in key order, and the part quantities that change with them; the orders must be
 * locked already. Code that deletes allocations locks their items, and so does code that moves stock, so that neither interferes with the
 * other.
 */
export async function lockAllocatedStock(tx: Tx, owner: Owner, pks: readonly number[]): Promise<void> {
  const text = SELECT_PARTS[owner]
  await lockStockItemsByQuery(tx, `select item from sales_order_allocation where is_open and ${OWNER_CONDITIONS[owner]}`, [pks], {
    parts: text === undefined ? undefined : { text, values: [pks] },
  })
}

/** Releases the allocations of a locked order. Allocations that were shipped stay recorded. */
export async function releaseAllocations(tx: Tx, order: number): Promise<void> {
  await lockAllocatedStock(tx, 'order', [order])
  await tx.query(`delete from sales_order_allocation where is_open and ${OWNER_CONDITIONS.order}`, [[order]])
}
