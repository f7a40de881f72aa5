import { invalid, notFound } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { checkVersion } from '../../../kit/writing/write.ts'
import { lockSerials } from '../serial/serials-in-use.ts'
import { checkLocation } from '../stock-item-rules.ts'
import { type LockedItem, lockStockItems } from './locked-items.ts'

/** The request of an action on one item: its transaction, the item's key, and the version that If-Match names. */
type OnItem = { tx: Tx; pk: number; ifMatch?: string }

/**
 * The item of an action's address, locked together with further ones; 404 when it is not there, 412 when If-Match names another version.
 * @param more what else is locked with them, as of `lockStockItems`
 */
export async function lockItem(
  { tx, pk, ifMatch }: OnItem,
  further: readonly number[] = [],
  more?: Parameters<typeof lockStockItems>[2],
): Promise<{ item: LockedItem; locked: Map<number, LockedItem> }> {
  const locked = await lockStockItems(tx, [pk, ...further], more)
  const item = locked.get(pk)
  if (!item) throw notFound()
  checkVersion(item.version, ifMatch)
  return { item, locked }
}

/**
 * The same for an action that may take serial numbers of the part's tree. These are locked after the item and before the sums of
 * its part: whoever makes items takes them in this order.
 * @param part another part whose sums will change
 */
export async function lockItemAndSerials(context: Pick<Services, 'settings'> & OnItem, part?: number): Promise<LockedItem> {
  const { item } = await lockItem(context, [], {
    beforeSums: (items) =>
      lockSerials(
        context,
        [...items.values()].map((item) => item.part),
      ),
    parts: part === undefined ? undefined : { text: 'select $2::integer', values: [part] },
  })
  return item
}

/** Refuses a location that cannot hold stock; 400 on the field that named it. */
export async function requireLocation(tx: Tx, location: number, field = 'location'): Promise<void> {
  const problem = await checkLocation(tx, location)
  if (problem) throw invalid({ [field]: [problem] })
}
