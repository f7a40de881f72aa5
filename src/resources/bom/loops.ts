import type { Tx } from '../../kit/sql/tx.ts'

/** A line that an assembly might get. */
type PossibleLine = { component: number; allow_variants: boolean; inherited: boolean }

/**
 * By what of the lines the assembly would contain itself or a part of its template and variants: as the trigger `refuse_bom_loops` rejects
 * them, before they are made. Each is looked at by itself, which finds all loops: lines of one assembly do not go on from one to the other.
 * @returns the places of these lines
 */
export async function loopsOf(tx: Tx, assembly: number, lines: readonly PossibleLine[]): Promise<ReadonlySet<number>> {
  const values = [
    assembly,
    lines.map(({ component }) => component),
    lines.map(({ allow_variants }) => allow_variants),
    lines.map(({ inherited }) => inherited),
  ]
  // mostly there are none, which is found without telling the lines apart
  if ((await tx.query(loops('0'), values)).length === 0) return new Set()
  const rows = await tx.query<{ place: number }>(loops('line.place::integer - 1'), values)
  return new Set(rows.map(({ place }) => place))
}

const loops = (place: string) => `
  with recursive below (place, inherited, part, replaced) as (
    select ${place}, line.inherited, first.part, first.replaced
    from unnest($2::integer[], $3::boolean[], $4::boolean[]) with ordinality line (component, allow_variants, inherited, place)
    cross join lateral (
      select line.component, false
      union all
      select variant.pk, true from part variant
      where line.allow_variants and variant.path @> array[line.component] and variant.pk <> line.component
    ) first (part, replaced)
    union
    select below.place, below.inherited, next.part, below.replaced or next.replaced
    from below cross join lateral bom_parts(below.part) next
  )
  select distinct below.place from below join part on part.pk = below.part join part assembly on assembly.pk = $1
  where case when below.replaced
    then part.pk = assembly.pk or below.inherited and part.path @> array[assembly.pk]
    else part.path[1] = assembly.path[1]
  end`
