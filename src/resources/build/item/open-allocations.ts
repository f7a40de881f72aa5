import type { Tx } from '../../../kit/sql/tx.ts'
import { type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { type LockedItem, lockStockItemsByQuery } from '../../stock/movement/locked-items.ts'

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

const SELECT_PARTS = 'select part from build_line where build = $2 union select part from build_order where pk = $2'
const IS_OPEN_OF_BUILD = 'build_line in (select pk from build_line where build = $1) and is_open'

/**
 * Locks the allocated stock items of a locked build order and further items, and reads its allocations. Retries if these changed before the
 * items were locked: merging items moves allocations to another item without locking the build order. With `consumes`, the build order will
 * consume stock, or be completed or cancelled, which changes the quantities of its part and its components.
 */
export async function lockAllocatedItems(
  tx: Tx,
  build: number,
  { further = [], consumes = false }: { further?: readonly number[]; consumes?: boolean } = {},
): Promise<{ allocations: OpenAllocation[]; items: Map<number, LockedItem> }> {
  for (;;) {
    const items = await lockStockItemsByQuery(
      tx,
      `select stock_item from build_allocation where ${IS_OPEN_OF_BUILD} union select unnest($2::integer[])`,
      [build, further],
      consumes ? { parts: { text: SELECT_PARTS, values: [build] } } : {},
    )
    const allocations = await tx.query<OpenAllocation>(
      `select pk, build_line, stock_item, quantity::text, install_into from build_allocation where ${IS_OPEN_OF_BUILD} order by pk`,
      [build],
    )
    if (allocations.every(({ stock_item }) => items.has(stock_item))) return { allocations, items }
  }
}

/** Deletes allocations, whose items are locked. */
export async function deleteAllocations(tx: Tx, allocations: readonly OpenAllocation[]): Promise<void> {
  if (allocations.length)
    await tx.query('delete from build_allocation where pk = any($1::integer[])', [allocations.map(({ pk }) => pk)])
}

/** Sets smaller quantities of allocations, whose items are locked. */
export async function reduceAllocations(tx: Tx, allocations: readonly Pick<OpenAllocation, 'pk' | 'quantity'>[]): Promise<void> {
  if (allocations.length)
    await tx.query(
      `update build_allocation set quantity = reduced.quantity
       from unnest($1::integer[], $2::numeric[]) reduced (pk, quantity) where build_allocation.pk = reduced.pk`,
      [allocations.map(({ pk }) => pk), allocations.map(({ quantity }) => quantity)],
    )
}

/** Releases allocations, and subtracts them from their locked items, which the caller may store afterwards. */
export async function releaseAllocatedStock(
  tx: Tx,
  allocations: readonly OpenAllocation[],
  items: ReadonlyMap<number, LockedItem>,
): Promise<void> {
  await deleteAllocations(tx, allocations)
  for (const { stock_item, quantity } of allocations) {
    const item = items.get(stock_item) as LockedItem
    item.allocated_to_build_orders = subtract(item.allocated_to_build_orders, quantity)
  }
}
