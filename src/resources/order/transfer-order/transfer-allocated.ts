import type { Statement } from '../../../database/text-query.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { compare, type Decimal, subtract, toJsonNumber } from '../../../kit/values/decimal.ts'
import { type LockedItem, lockStockItemsByQuery, setQuantity, stockItemWrites } from '../../stock/movement/locked-items.ts'
import { type Split, splitOff, storeSplits } from '../../stock/movement/split-stock.ts'
import { type HistoryEntry, historyWrites } from '../../stock/movement/stock-history.ts'
import { stockErrors } from '../../stock/stock-errors.ts'
import { STOCK_STATUS } from '../../stock/stock-status.ts'
import type { OrderRequest } from '../change-status.ts'

type Allocation = { pk: number; line: number; item: number; quantity: Decimal }

/**
 * Moves the stock allocated to a locked order to a location, or consumes it. The only code that increases `transferred` of a line. Locks the
 * stock items in key order, so that nothing is counted, removed or transferred concurrently.
 * @param destination a location that is locked; null uses the stock up
 */
export async function transferAllocated(context: OrderRequest, destination: number | null): Promise<void> {
  const { tx } = context
  const { allocations, items } = await lockAllocatedItems(context)
  const missingItem = [...items.values()].find((item) => !item.in_stock)
  if (missingItem) throw invalidObject(stockErrors.stock_item_gone({ pk: missingItem.pk }))
  const writes =
    destination === null
      ? consumeAllocated(context, allocations, items)
      : await moveAllocated(context, allocations, items, destination)
  await tx.pipeline(...writes, {
    text: `update transfer_order_line line set transferred = line.transferred + moved.quantity
      from (
        select line, sum(quantity) quantity from unnest($1::integer[], $2::numeric[]) allocation (line, quantity) group by line
      ) moved where line.pk = moved.line`,
    values: [allocations.map(({ line }) => line), allocations.map(({ quantity }) => quantity)],
  })
}

/**
 * Locks the stock items allocated to the order. Its allocations are read again under these locks: merging items moves their allocations
 * to another item without locking the order.
 */
async function lockAllocatedItems({
  tx,
  pk,
}: OrderRequest): Promise<{ allocations: Allocation[]; items: Map<number, LockedItem> }> {
  const open = `from transfer_order_allocation where is_open and line in (select pk from transfer_order_line where "order" = $1)`
  for (;;) {
    const items = await lockStockItemsByQuery(tx, `select item ${open}`, [pk])
    const allocations = await tx.query<Allocation>(`select pk, line, item, quantity::text ${open} order by pk`, [pk])
    if (allocations.every(({ item }) => items.has(item))) return { allocations, items }
  }
}

/**
 * Moves the goods: whole items as they are, parts of larger ones split off. Allocations point to the moved items before the original ones
 * are reduced, so that no item is ever overallocated.
 * @returns the writes still to run
 */
async function moveAllocated(
  context: OrderRequest,
  allocations: readonly Allocation[],
  items: ReadonlyMap<number, LockedItem>,
  location: number,
): Promise<Statement[]> {
  const transferorder = context.pk
  /** The moved item, by allocation. */
  const moved = new Map<number, number>()
  const moves: HistoryEntry[] = []
  const splits: { allocation: Allocation; split: Split }[] = []
  for (const allocation of allocations) {
    const item = items.get(allocation.item) as LockedItem
    if (compare(allocation.quantity, item.quantity) < 0) {
      const split = splitOff(item, allocation.quantity, { location }, undefined)
      for (const event of [split.newItem.history, split.sourceEntry]) Object.assign(event?.deltas ?? {}, { transferorder })
      splits.push({ allocation, split })
    } else {
      Object.assign(item, { location, pendingWrite: 'changed' })
      const deltas = { location, quantity: toJsonNumber(item.quantity), transferorder }
      moves.push({ item: item.pk, type: 'STOCK_MOVE', deltas })
      moved.set(allocation.pk, item.pk)
    }
    releaseQuantity(item, allocation)
  }
  const newItems = await storeSplits(
    context,
    splits.map(({ split }) => split),
  )
  for (const [index, { allocation }] of splits.entries()) moved.set(allocation.pk, newItems[index] as number)
  return [
    {
      text: `update transfer_order_allocation allocation set item = moved.item, is_open = false
        from unnest($1::integer[], $2::integer[]) moved (pk, item) where allocation.pk = moved.pk`,
      values: [[...moved.keys()], [...moved.values()]],
    },
    ...stockItemWrites(items.values()),
    ...historyWrites(context, moves),
  ]
}

/**
 * Uses the goods up: quantities are removed, and a unit with a serial number stays on record as destroyed. The history of an item that is
 * deleted with its last quantity stays with its part.
 * @returns the writes still to run
 */
function consumeAllocated(
  context: OrderRequest,
  allocations: readonly Allocation[],
  items: ReadonlyMap<number, LockedItem>,
): Statement[] {
  const transferorder = context.pk
  const entries = allocations.map((allocation): HistoryEntry => {
    const item = items.get(allocation.item) as LockedItem
    releaseQuantity(item, allocation)
    if (item.serial) {
      const status = STOCK_STATUS.DESTROYED.key
      Object.assign(item, { status, location: null, pendingWrite: 'changed' })
      return { item: item.pk, type: 'STOCK_REMOVE', deltas: { status, location: null, transferorder } }
    }
    const change = setQuantity(item, subtract(item.quantity, allocation.quantity))
    const deltas = { removed: toJsonNumber(allocation.quantity), quantity: toJsonNumber(item.quantity), transferorder }
    return { item: item.pk, type: 'STOCK_REMOVE', change, deltas }
  })
  return [
    {
      text: 'update transfer_order_allocation set is_open = false where pk = any($1::integer[])',
      values: [allocations.map(({ pk }) => pk)],
    },
    ...historyWrites(context, entries),
    ...stockItemWrites(items.values()),
  ]
}

/** Takes an allocation off the locked copy of its item. */
function releaseQuantity(item: LockedItem, { quantity }: Allocation): void {
  item.allocated_to_transfer_orders = subtract(item.allocated_to_transfer_orders, quantity)
}
