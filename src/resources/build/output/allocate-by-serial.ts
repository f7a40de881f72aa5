import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { compare } from '../../../kit/values/decimal.ts'
import { type LockedItem, lockStockItems, unallocatedQuantity } from '../../stock/movement/locked-items.ts'
import { isUsable } from '../../stock/usable-stock.ts'
import { allocationWrites, type NewAllocation } from '../item/allocate.ts'
import { type AllocatableLine, countAllocated, isMatchingItem } from '../item/allocation-rules.ts'

/**
 * Locks the units of tracked components with one of these serial numbers, before outputs with these numbers are created. The serial numbers
 * are locked already; other transactions lock those after items. Only units that the service may select by itself (`isUsable`) are returned.
 * @param part part of the outputs, whose quantities will change too
 */
export async function lockUnits(
  context: Pick<Services, 'settings'> & { tx: Tx },
  tracked: readonly AllocatableLine[],
  serials: readonly string[],
  part: number,
): Promise<LockedItem[]> {
  const { tx } = context
  if (tracked.length === 0) return []
  const units = await tx.query<{ pk: number }>(
    `select item.pk from stock_item item join part on part.pk = item.part
     where item.serial = any($1::text[]) and item.in_stock and part.trackable and part.path && $2::integer[]`,
    [serials, tracked.flatMap(({ part, substitutes }) => [part, ...substitutes])],
  )
  const lockedUnits = await lockStockItems(
    tx,
    units.map(({ pk }) => pk),
    { skipLocked: true, parts: { text: 'select $2::integer', values: [part] } },
  )
  // other transactions may have locked some; in exclusive mode there are no other writers
  if (lockedUnits.size < units.length) tx.lockExclusive()
  return [...lockedUnits.values()].filter(
    (item) => item.in_stock && compare(unallocatedQuantity(item), '1') >= 0 && isUsable(context, item, 'build'),
  )
}

/**
 * Allocates to new outputs, by serial number, the unit of each tracked component with the same number, if there is exactly one and it is
 * available. The build order and the units are locked (`lockUnits`).
 */
export function allocateBySerial(
  tx: Tx,
  tracked: readonly AllocatableLine[],
  items: readonly LockedItem[],
  outputs: ReadonlyMap<string, number>,
): void {
  const newAllocations: NewAllocation[] = []
  for (const [serial, output] of outputs)
    for (const line of tracked) {
      const matchingUnits = items.filter((item) => item.serial === serial && isMatchingItem(line, item, true))
      const [unit] = matchingUnits
      if (matchingUnits.length !== 1 || !unit || compare(unallocatedQuantity(unit), '1') < 0) continue
      countAllocated(line, unit, '1')
      newAllocations.push({ build_line: line.pk, stock_item: unit.pk, quantity: '1', output })
    }
  tx.atCommit(...allocationWrites(newAllocations))
}
