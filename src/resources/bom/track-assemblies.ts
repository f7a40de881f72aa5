import type { Tx } from '../../kit/sql/tx.ts'

/** What contains a trackable part is trackable too, upwards through all assemblies. Of parts that are not, nothing follows. */
export async function trackAssemblies(tx: Tx, parts: readonly number[]): Promise<void> {
  await tx.query(
    `with recursive above (part) as (
       select pk from part where pk = any($1::integer[]) and trackable
       union
       select assembly.pk from above
       join bom_item item on item.sub_part = above.part
       join part assembly on assembly.path @> array[item.part] and (assembly.pk = item.part or item.inherited)
     )
     update part set trackable = true from above where part.pk = above.part and not part.trackable`,
    [parts],
  )
}
