import { invalidObject } from '../../kit/request/problem.ts'
import { compare, type Decimal, subtract, toJsonNumber } from '../../kit/values/decimal.ts'
import { type LockedItem, stockItemWrites } from '../stock/movement/locked-items.ts'
import { type Split, splitOff, storeSplits } from '../stock/movement/split-stock.ts'
import type { HistoryEntry } from '../stock/movement/stock-history.ts'
import { stockErrors } from '../stock/stock-errors.ts'
import type { BuildRequest } from './change-status.ts'
import { deleteAllocations, type OpenAllocation, reduceAllocations } from './item/open-allocations.ts'

/** An allocation to consume. `remaining` is the quantity that stays allocated; without one, the allocation ends. */
export type ConsumedAllocation = OpenAllocation & { remaining?: Decimal }

/**
 * Consumes the allocations of a build order, each once, and counts them on its lines; their items are locked, and the sums of the components. An item that is not allocated in full is split first.
 * Components of an output are installed in it. All consumption by build orders goes through here. Stores all these items, including other
 * changes to them.
 */
export async function consumeStock(
  context: BuildRequest,
  allocations: readonly ConsumedAllocation[],
  items: ReadonlyMap<number, LockedItem>,
  notes?: string,
): Promise<void> {
  const { tx, pk: build } = context
  const unavailableItem = allocations.map(({ stock_item }) => items.get(stock_item) as LockedItem).find((item) => !item.in_stock)
  if (unavailableItem) throw invalidObject(stockErrors.stock_item_gone({ pk: unavailableItem.pk }))
  await reduceAllocations(
    tx,
    allocations.flatMap(({ pk, remaining }) => (remaining === undefined ? [] : { pk, quantity: remaining })),
  )
  await deleteAllocations(
    tx,
    allocations.filter(({ remaining }) => remaining === undefined),
  )
  if (allocations.length > 0)
    await tx.query(
      `update build_line line set consumed = line.consumed + used.quantity
       from (select pk, sum(quantity) as quantity from unnest($1::integer[], $2::numeric[]) used (pk, quantity) group by pk) used
       where line.pk = used.pk`,
      [allocations.map(({ build_line }) => build_line), allocations.map(({ quantity }) => quantity)],
    )
  /** Keys of the consumed items, by allocation. */
  const consumedItems = new Map<number, number>()
  const splits: { allocation: OpenAllocation; split: Split }[] = []
  for (const allocation of allocations) {
    const item = items.get(allocation.stock_item) as LockedItem
    const changes = { consumed_by: build, belongs_to: allocation.install_into, location: null }
    item.allocated_to_build_orders = subtract(item.allocated_to_build_orders, allocation.quantity)
    if (compare(allocation.quantity, item.quantity) < 0) {
      splits.push({ allocation, split: splitOff(item, allocation.quantity, changes, notes) })
    } else {
      Object.assign(item, changes, { pendingWrite: 'changed' })
      consumedItems.set(allocation.pk, item.pk)
    }
  }
  await storeSplits(
    context,
    splits.map(({ split }) => split),
    {
      furtherEntries: (splitKeys) => {
        for (const [index, { allocation }] of splits.entries()) consumedItems.set(allocation.pk, splitKeys[index] as number)
        return allocations.flatMap((allocation) =>
          createHistoryEntries(build, consumedItems.get(allocation.pk) as number, allocation, notes),
        )
      },
    },
  )
  await tx.pipeline(...stockItemWrites(items.values()))
}

/** History entries: that an item is consumed, or in which output it is installed. */
function createHistoryEntries(
  build: number,
  item: number,
  { install_into: output, quantity }: OpenAllocation,
  notes: string | undefined,
): HistoryEntry[] {
  if (output === null) {
    return [{ item, type: 'BUILD_CONSUMED', deltas: { buildorder: build, quantity: toJsonNumber(quantity) }, notes }]
  }
  return [
    { item, type: 'INSTALLED_INTO_ASSEMBLY', deltas: { stockitem: output, buildorder: build }, notes },
    { item: output, type: 'INSTALLED_CHILD_ITEM', deltas: { stockitem: item, buildorder: build }, notes },
  ]
}
