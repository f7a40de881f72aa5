import type { Tx } from '../../kit/sql/tx.ts'

/**
 * What contains a trackable part is trackable too, upwards through all assemblies. Of parts that are not, nothing follows. Nobody
 * changes a bill of materials, adds a variant or makes a part trackable meanwhile: all take the lock first (`lockBom`).
 * @returns those that have become trackable by it
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
  // parts are locked before what else is locked by now
  tx.lockExclusive()
  await tx.query('update part set trackable = true where pk = any($1::integer[])', [tracked])
  return new Set(tracked)
}

/** A part with trackable components is trackable too: of those that it inherits from the templates above it as well. */
export async function trackByComponents(tx: Tx, part: number): Promise<void> {
  const components = await trackableComponents(tx, part)
  if (components.length) await trackAssemblies(tx, components)
}

/** The trackable components of a part, its own and those that it inherits. */
export async function trackableComponents(tx: Tx, part: number): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>(
    'select component.pk from bom_lines($1) line join part component on component.pk = line.sub_part where component.trackable',
    [part],
  )
  return rows.map(({ pk }) => pk)
}
