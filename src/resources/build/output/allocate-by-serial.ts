import type { Tx } from '../../../kit/sql/tx.ts'
import { compare } from '../../../kit/values/decimal.ts'
import { type LockedItem, lockStockItems, unallocated } from '../../stock/movement/locked-items.ts'
import { allocationWrites, type NewAllocation } from '../item/allocate.ts'
import { type AllocatableLine, countAllocated, isMatchingItem } from '../item/allocation-rules.ts'

/**
 * Locks the units of tracked components with one of these serial numbers, before outputs with these numbers are created. They come after
 * the serial numbers, which others lock after items.
 * @param part part of the outputs, whose sums will change too
 */
export async function lockUnits(
  tx: Tx,
  tracked: readonly AllocatableLine[],
  serials: readonly string[],
  part: number,
): Promise<LockedItem[]> {
  if (tracked.length === 0) return []
  const units = await tx.query<{ pk: number }>(
    `select item.pk from stock_item item join part on part.pk = item.part
     where item.serial = any($1::text[]) and item.in_stock and part.trackable and part.path && $2::integer[]`,
    [serials, tracked.flatMap(({ part, substitutes }) => [part, ...substitutes])],
  )
  const locked = await lockStockItems(
    tx,
    units.map(({ pk }) => pk),
    { skipLocked: true, parts: { text: 'select $2::integer', values: [part] } },
  )
  // some may be locked by others: in exclusive mode there are no other writers
  if (locked.size < units.length) tx.lockExclusive()
  return [...locked.values()].filter((item) => item.in_stock && compare(unallocated(item), '1') >= 0)
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
      const fitting = items.filter((item) => item.serial === serial && isMatchingItem(line, item, true))
      const [unit] = fitting
      if (fitting.length !== 1 || !unit || compare(unallocated(unit), '1') < 0) continue
      countAllocated(line, unit, '1')
      newAllocations.push({ build_line: line.pk, stock_item: unit.pk, quantity: '1', output })
    }
  tx.atCommit(...allocationWrites(newAllocations))
}
