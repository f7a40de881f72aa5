import type { Tx } from '../../../kit/sql/tx.ts'
import { type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { type LockedItem, lockStockItemsOf } from '../../stock/movement/locked-items.ts'

/** What is put by for a build order, as it is. */
export type OpenAllocation = {
  pk: number
  build_line: number
  stock_item: number
  /** In units of the part. */
  quantity: Decimal
  /** The output into which it goes; null for none in particular. */
  install_into: number | null
}

const PARTS = 'select part from build_line where build = $2 union select part from build_order where pk = $2'
const OF_BUILD = 'build_line in (select pk from build_line where build = $1) and is_open'

/**
 * Locks the stock items of which something is put by for a build order, which is locked, and further ones, and reads what is put by. It is
 * read again when they are: whoever merges items makes allocations point to another one, and does not lock the build order.
 * @param ends whether the build order is going to be complete or cancelled: the sums of its part and its components change then
 */
export async function lockAllocated(
  tx: Tx,
  build: number,
  { further = [], ends = false }: { further?: readonly number[]; ends?: boolean } = {},
): Promise<{ allocations: OpenAllocation[]; items: Map<number, LockedItem> }> {
  for (;;) {
    const items = await lockStockItemsOf(
      tx,
      `select stock_item from build_allocation where ${OF_BUILD} union select unnest($2::integer[])`,
      [build, further],
      ends ? { parts: { text: PARTS, values: [build] } } : {},
    )
    const allocations = await tx.query<OpenAllocation>(
      `select pk, build_line, stock_item, quantity::text, install_into from build_allocation where ${OF_BUILD} order by pk`,
      [build],
    )
    if (allocations.every(({ stock_item }) => items.has(stock_item))) return { allocations, items }
  }
}

/** Deletes allocations, of items that are locked. */
export async function releaseAllocations(tx: Tx, allocations: readonly OpenAllocation[]): Promise<void> {
  if (allocations.length)
    await tx.query('delete from build_allocation where pk = any($1::integer[])', [allocations.map(({ pk }) => pk)])
}

/** Gives back what is put by, of items that are locked and may be stored afterwards. */
export async function freeAll(
  tx: Tx,
  allocations: readonly OpenAllocation[],
  items: ReadonlyMap<number, LockedItem>,
): Promise<void> {
  await releaseAllocations(tx, allocations)
  for (const { stock_item, quantity } of allocations) {
    const item = items.get(stock_item) as LockedItem
    item.allocated_to_build_orders = subtract(item.allocated_to_build_orders, quantity)
  }
}
