import type { Tx } from '../../../kit/sql/tx.ts'
import type { LockedItem } from '../../stock/movement/locked-items.ts'

/** Returns the parts of these items that are trackable. */
export async function findTrackableParts(tx: Tx, items: Iterable<LockedItem>): Promise<Set<number>> {
  const parts = [...new Set([...items].map(({ part }) => part))]
  const rows = await tx.query<{ pk: number }>('select pk from part where trackable and pk = any($1::integer[])', [parts])
  return new Set(rows.map(({ pk }) => pk))
}
