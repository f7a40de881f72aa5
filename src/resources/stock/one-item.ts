import { invalid, notFound } from '../../kit/problem.ts'
import type { Tx } from '../../kit/tx.ts'
import { type LockedItem, lockStockItems } from './locked-items.ts'
import { checkLocation } from './stock-item-rules.ts'

/** The item of an action's address, locked together with further ones; 404 when it is not there. */
export async function lockItem(
  tx: Tx,
  pk: number,
  more: readonly number[] = [],
): Promise<{ item: LockedItem; locked: Map<number, LockedItem> }> {
  const locked = await lockStockItems(tx, [pk, ...more])
  const item = locked.get(pk)
  if (!item) throw notFound()
  return { item, locked }
}

/** Refuses a location that cannot hold stock; 400 on the field that named it. */
export async function requireLocation(tx: Tx, location: number, field = 'location'): Promise<void> {
  const problem = await checkLocation(tx, location)
  if (problem) throw invalid({ [field]: [problem] })
}
