import { invalid, notFound } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { lockSerials } from '../serial/serials-in-use.ts'
import { checkLocation, lockStock } from '../stock-item-rules.ts'
import { type LockedItem, lockStockItems } from './locked-items.ts'

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

/**
 * The same for an action that may take serial numbers of the part's tree. These are locked before the item and the sums of
 * its part: whoever makes items takes them in this order.
 */
export async function lockItemAndSerials(context: Pick<Services, 'settings'> & { tx: Tx }, pk: number): Promise<LockedItem> {
  const { tx } = context
  await lockStock(tx)
  const known = await tx.first<{ part: number }>('select part from stock_item where pk = $1', [pk])
  if (known) await lockSerials(context, [known.part])
  return (await lockItem(tx, pk)).item
}

/** Refuses a location that cannot hold stock; 400 on the field that named it. */
export async function requireLocation(tx: Tx, location: number, field = 'location'): Promise<void> {
  const problem = await checkLocation(tx, location)
  if (problem) throw invalid({ [field]: [problem] })
}
