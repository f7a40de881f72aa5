import type { Tx } from '../../../kit/sql/tx.ts'
import { lockStockItemsByQuery } from '../../stock/movement/locked-items.ts'

/** Owners that allocations are deleted with: their lines, or the orders of their lines. */
type Owner = 'line' | 'order'

const OWNER_CONDITIONS: Record<Owner, string> = {
  line: 'line = any($1::integer[])',
  order: 'line in (select pk from transfer_order_line where "order" = any($1::integer[]))',
}

/**
 * Locks the stock items with allocations of these owners, in key order, and the sums of their parts; the orders must be locked already.
 */
export const lockAllocatedStock = (tx: Tx, owner: Owner, pks: readonly number[]): Promise<unknown> =>
  lockStockItemsByQuery(tx, `select item from transfer_order_allocation where is_open and ${OWNER_CONDITIONS[owner]}`, [pks])

/** Releases the allocations of a locked order. Those of stock that was transferred stay recorded. */
export async function releaseAllocations(tx: Tx, order: number): Promise<void> {
  await lockAllocatedStock(tx, 'order', [order])
  await tx.query(`delete from transfer_order_allocation where is_open and ${OWNER_CONDITIONS.order}`, [[order]])
}
