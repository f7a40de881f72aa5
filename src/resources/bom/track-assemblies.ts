import type { Tx } from '../../kit/sql/tx.ts'

/**
 * Makes everything that contains one of these parts trackable if the part is, upwards through all assemblies. Parts that are not trackable
 * have no effect. All who change a BOM, add a variant or make a part trackable take the lock first (`lockBom`), so none does concurrently.
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
  const tracked = rows.map(({ pk }) => pk)
  if (tracked.length === 0) return new Set()
  // parts must be locked before the rows that are locked by now
  tx.lockExclusive()
  await tx.query('update part set trackable = true where pk = any($1::integer[])', [tracked])
  return new Set(tracked)
}

/** Makes a part with trackable components trackable, counting components inherited from the templates above it. */
export async function trackByComponents(tx: Tx, part: number): Promise<void> {
  const components = await trackableComponents(tx, part)
  if (components.length) await trackAssemblies(tx, components)
}

/** The trackable components of a part, own and inherited. */
export async function trackableComponents(tx: Tx, part: number): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>(
    'select component.pk from bom_lines($1) line join part component on component.pk = line.sub_part where component.trackable',
    [part],
  )
  return rows.map(({ pk }) => pk)
}
