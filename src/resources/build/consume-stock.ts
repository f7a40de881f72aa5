import { invalidObject } from '../../kit/request/problem.ts'
import { compare, jsonNumber, subtract } from '../../kit/values/decimal.ts'
import { type LockedItem, stockItemWrites } from '../stock/movement/locked-items.ts'
import { type Split, splitOff, storeSplits } from '../stock/movement/split-stock.ts'
import type { HistoryEntry } from '../stock/movement/stock-history.ts'
import { stockErrors } from '../stock/stock-errors.ts'
import type { OnBuild } from './build-state.ts'
import { type OpenAllocation, releaseAllocations } from './item/open-allocations.ts'

/**
 * Consumes the allocations of a build order, whose items are locked, each once: whole items as they are, parts of larger items split off.
 * Components of an output are installed in it. All consumption by build orders goes through here. Stores all these items, including other
 * changes to them.
 */
export async function consumeStock(
  context: OnBuild,
  allocations: readonly OpenAllocation[],
  items: ReadonlyMap<number, LockedItem>,
  notes?: string,
): Promise<void> {
  const { tx, pk: build } = context
  const unavailableItem = allocations.map(({ stock_item }) => items.get(stock_item) as LockedItem).find((item) => !item.in_stock)
  if (unavailableItem) throw invalidObject(stockErrors.stock_item_gone({ pk: unavailableItem.pk }))
  await releaseAllocations(tx, allocations)
  /** Consumed item by allocation. */
  const used = new Map<number, number>()
  const splits: { allocation: OpenAllocation; split: Split }[] = []
  for (const allocation of allocations) {
    const item = items.get(allocation.stock_item) as LockedItem
    const out = { consumed_by: build, belongs_to: allocation.install_into, location: null }
    item.allocated_to_build_orders = subtract(item.allocated_to_build_orders, allocation.quantity)
    if (compare(allocation.quantity, item.quantity) < 0) {
      splits.push({ allocation, split: splitOff(item, allocation.quantity, out, notes) })
    } else {
      Object.assign(item, out, { pendingWrite: 'changed' })
      used.set(allocation.pk, item.pk)
    }
  }
  await storeSplits(
    context,
    splits.map(({ split }) => split),
    {
      also: (splitKeys) => {
        for (const [at, { allocation }] of splits.entries()) used.set(allocation.pk, splitKeys[at] as number)
        return allocations.flatMap((allocation) =>
          consumptionEntries(build, used.get(allocation.pk) as number, allocation, notes),
        )
      },
    },
  )
  await tx.pipeline(...stockItemWrites(items.values()))
}

/** History entries: that an item is consumed, or in which output it is installed. */
function consumptionEntries(
  build: number,
  item: number,
  { install_into: output, quantity }: OpenAllocation,
  notes: string | undefined,
): HistoryEntry[] {
  if (output === null) {
    return [{ item, type: 'BUILD_CONSUMED', deltas: { buildorder: build, quantity: jsonNumber(quantity) }, notes }]
  }
  return [
    { item, type: 'INSTALLED_INTO_ASSEMBLY', deltas: { stockitem: output, buildorder: build }, notes },
    { item: output, type: 'INSTALLED_CHILD_ITEM', deltas: { stockitem: item, buildorder: build }, notes },
  ]
}
