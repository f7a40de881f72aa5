import type { Tx } from '../../kit/sql/tx.ts'

/**
 * Makes everything that contains one of these parts trackable if the part is, upwards through all assemblies. Parts that are not trackable
 * have no effect. Whatever changes a BOM, adds a variant or makes a part trackable takes the lock first (`lockBom`), so that none of it
 * happens concurrently.
 * @returns the parts that have become trackable
 */
export async function trackAssemblies(tx: Tx, parts: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ pk: number }>(
    `with recursive above (part) as (
       select pk from part where pk = any($1::integer[]) and trackable
       union
       select assembly.pk from above
       join bom_item item on item.sub_part = above.part
       join part assembly on assembly.path @> array[item.part] and (assembly.pk = item.part or item.inherited)
     )
     select part.pk from above join part on part.pk = above.part where not part.trackable`,
    [parts],
  )
  const trackedParts = rows.map(({ pk }) => pk)
  if (trackedParts.length === 0) return new Set()
  // the lock order has parts before rows that are already locked here
  tx.lockExclusive()
  await tx.query('update part set trackable = true where pk = any($1::integer[])', [trackedParts])
  return new Set(trackedParts)
}

/** Makes a part with trackable components trackable, counting components inherited from the templates above it. */
export async function trackByComponents(tx: Tx, part: number): Promise<void> {
  const components = await readTrackableComponents(tx, part)
  if (components.length) await trackAssemblies(tx, components)
}

/** The trackable components of a part, own and inherited. */
export async function readTrackableComponents(tx: Tx, part: number): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>(
    'select component.pk from bom_lines($1) line join part component on component.pk = line.sub_part where component.trackable',
    [part],
  )
  return rows.map(({ pk }) => pk)
}
