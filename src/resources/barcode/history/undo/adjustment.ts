import type { Tx } from '../../../../kit/sql/tx.ts'
import { compare } from '../../../../kit/values/decimal.ts'
import { type ItemState, readStates } from '../../../stock/adjustment/item-state.ts'
import type { ItemAdjustment, Row } from '../../../stock/adjustment/undo-adjustments.ts'
import type { LockedItem } from '../../../stock/movement/locked-items.ts'

/**
 * Records what is needed to undo a scan, after it adjusted a stock item; undefined when it changed nothing.
 * @param before the item as it was locked before the adjustment, and its state
 */
export async function recordAdjustment(
  tx: Tx,
  action: ItemAdjustment['action'],
  before: LockedItem,
  { entry, children }: ItemState,
): Promise<ItemAdjustment | undefined> {
  const { pk, quantity, location, stocktake_date, stocktake_user } = before
  const after = (await readStates(tx, [pk])).get(pk) ?? null
  if (after?.version === before.version) return undefined
  const isSplit = action === 'move' && after !== null && compare(after.quantity, quantity) < 0
  const row = after ? null : { ...(before as Row), children }
  const split = isSplit ? await readSplit(tx, pk) : null
  return {
    kind: 'adjustment',
    action,
    before: { pk, quantity, location, stocktake_date, stocktake_user, entry },
    after,
    split,
    row,
  }
}

/** Reads the item that was last split off a locked item. */
async function readSplit(tx: Tx, parent: number): Promise<ItemState | null> {
  const created = await tx.first<{ pk: number }>('select max(pk) as pk from stock_item where parent = $1', [parent])
  return created ? ((await readStates(tx, [created.pk])).get(created.pk) ?? null) : null
}
