import type { Deletion } from '../../../kit/definition/resource.ts'
import { requireOptions } from '../../../kit/writing/deletion-options.ts'
import { deleteReturnLines } from '../delete-item.ts'
import { historyWrites } from '../movement/stock-history.ts'

/** Rows to delete together with a location; others move to its parent. */
export type ClearOptions = { items: boolean; sublocations: boolean }

/**
 * Empties a location before it is deleted.
 * - By default its items and the locations directly below it move to its parent; those of a root location move to none.
 * - `items`: its items are deleted.
 * - `sublocations`: all locations below it are deleted, and their items are moved or deleted like its own.
 */
export async function clearLocation(deletion: Deletion, options: ClearOptions): Promise<void> {
  const { tx, row: location } = deletion
  requireOptions(deletion, ['delete_stock_items', 'delete_sub_locations'])
  const parent = (location.parent as number | null) ?? null
  const condition = options.sublocations
    ? 'location in (select pk from stock_location where path @> array[$1::integer])'
    : 'location = $1::integer'
  if (options.items) {
    await deleteReturnLines(deletion, condition, [location.pk])
    await tx.query(`delete from stock_item where ${condition}`, [location.pk])
  } else {
    const moved = await tx.query<{ pk: number }>(
      `update stock_item set location = $2, updated = now() where ${condition} returning pk`,
      [location.pk, parent],
    )
    const history = historyWrites(
      deletion,
      moved.map(({ pk }) => ({ item: pk, type: 'STOCK_MOVE', deltas: parent === null ? {} : { location: parent } })),
    )
    await tx.pipeline(...history)
  }
  if (options.sublocations)
    await tx.query('delete from stock_location where path @> array[$1::integer] and pk <> $1', [location.pk])
  else await tx.query('update stock_location set parent = $2 where parent = $1', [location.pk, parent])
}
