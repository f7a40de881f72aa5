import type { Tx } from '../../kit/sql/tx.ts'

/** A line that an assembly might get. */
type PossibleLine = { component: number; allow_variants: boolean; inherited: boolean }

/**
 * Finds the lines that would make the assembly contain itself or a part of its template tree, before they are created, by the rules of the
 * trigger `refuse_bom_loops`. Each line is checked by itself, which finds all loops, since lines of one assembly do not lead to each other.
 * @returns the indexes of these lines
 */
export async function findLoops(tx: Tx, assembly: number, lines: readonly PossibleLine[]): Promise<ReadonlySet<number>> {
  const values = [
    assembly,
    lines.map(({ component }) => component),
    lines.map(({ allow_variants }) => allow_variants),
    lines.map(({ inherited }) => inherited),
  ]
  // usually there are none: a first query, which does not distinguish the lines, finds out whether there are any
  if ((await tx.query(createLoopQuery('0'), values)).length === 0) return new Set()
  const rows = await tx.query<{ ordinal: number }>(createLoopQuery('line.ordinal::integer - 1'), values)
  return new Set(rows.map(({ ordinal: index }) => index))
}

const createLoopQuery = (index: string) => `
  with recursive below (ordinal, inherited, part, replaced) as (
    select ${index}, line.inherited, first.part, first.replaced
    from unnest($2::integer[], $3::boolean[], $4::boolean[]) with ordinality line (component, allow_variants, inherited, ordinal)
    cross join lateral (
      select line.component, false
      union all
      select variant.pk, true from part variant
      where line.allow_variants and variant.path @> array[line.component] and variant.pk <> line.component
    ) first (part, replaced)
    union
    select below.ordinal, below.inherited, next.part, below.replaced or next.replaced
    from below cross join lateral bom_parts(below.part) next
  )
  select distinct below.ordinal from below join part on part.pk = below.part join part assembly on assembly.pk = $1
  where case when below.replaced
    then part.pk = assembly.pk or below.inherited and part.path @> array[assembly.pk]
    else part.path[1] = assembly.path[1]
  end`
