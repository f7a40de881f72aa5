import { invalid, notFound } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { checkVersion } from '../../../kit/writing/write.ts'
import { lockSerials } from '../serial/serials-in-use.ts'
import { checkLocation } from '../stock-item-rules.ts'
import { type LockedItem, lockStockItems } from './locked-items.ts'

/** The request of an action on one item: its transaction, the item's key, and the version in If-Match. */
type ItemRequest = { tx: Tx; pk: number; ifMatch?: string }

/**
 * Locks the item in an action's URL together with further rows, and returns it; 404 when it does not exist, 412 when If-Match names another
 * version.
 * @param furtherKeys keys of further items to lock
 * @param options further rows to lock, as for `lockStockItems`
 */
export async function lockItem(
  { tx, pk, ifMatch }: ItemRequest,
  furtherKeys: readonly number[] = [],
  options?: Parameters<typeof lockStockItems>[2],
): Promise<{ item: LockedItem; locked: Map<number, LockedItem> }> {
  const locked = await lockStockItems(tx, [pk, ...furtherKeys], options)
  const item = locked.get(pk)
  if (!item) throw notFound()
  checkVersion(item.version, ifMatch)
  return { item, locked }
}

/**
 * Locks the item like `lockItem`, for an action that may assign serial numbers in the part's tree. Serial numbers are locked after the item
 * and before the sums of its part: the order in which creating items locks them.
 * @param part another part whose sums will change
 */
export async function lockItemAndSerials(context: Pick<Services, 'settings'> & ItemRequest, part?: number): Promise<LockedItem> {
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

/** Rejects a location that cannot hold stock; 400 on the field that named it. */
export async function requireLocation(tx: Tx, location: number, field = 'location'): Promise<void> {
  const problem = await checkLocation(tx, location)
  if (problem) throw invalid({ [field]: [problem] })
}
