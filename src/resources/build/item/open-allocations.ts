import type { Tx } from '../../../kit/sql/tx.ts'
import { type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { type LockedItem, lockStockItemsOf } from '../../stock/movement/locked-items.ts'

/** An open allocation of a build order. */
export type OpenAllocation = {
  pk: number
  build_line: number
  stock_item: number
  /** In units of the part. */
  quantity: Decimal
  /** The output that it is installed in; null for none in particular. */
  install_into: number | null
}

const PARTS = 'select part from build_line where build = $2 union select part from build_order where pk = $2'
const OF_BUILD = 'build_line in (select pk from build_line where build = $1) and is_open'

/**
 * Locks the allocated stock items of a locked build order and further items, and reads its allocations. Retries if these changed meanwhile:
 * merging items moves allocations to another item without locking the build order.
 * @param ends whether the build order will be completed or cancelled, which changes the sums of its part and its components
 */
export async function lockAllocated(
  tx: Tx,
  build: number,
  { further = [], isEnding = false }: { further?: readonly number[]; isEnding?: boolean } = {},
): Promise<{ allocations: OpenAllocation[]; items: Map<number, LockedItem> }> {
  for (;;) {
    const items = await lockStockItemsOf(
      tx,
      `select stock_item from build_allocation where ${OF_BUILD} union select unnest($2::integer[])`,
      [build, further],
      isEnding ? { parts: { text: PARTS, values: [build] } } : {},
    )
    const allocations = await tx.query<OpenAllocation>(
      `select pk, build_line, stock_item, quantity::text, install_into from build_allocation where ${OF_BUILD} order by pk`,
      [build],
    )
    if (allocations.every(({ stock_item }) => items.has(stock_item))) return { allocations, items }
  }
}

/** Deletes allocations, whose items are locked. */
export async function releaseAllocations(tx: Tx, allocations: readonly OpenAllocation[]): Promise<void> {
  if (allocations.length)
    await tx.query('delete from build_allocation where pk = any($1::integer[])', [allocations.map(({ pk }) => pk)])
}

/** Releases allocations whose items are locked and may be stored afterwards. */
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
