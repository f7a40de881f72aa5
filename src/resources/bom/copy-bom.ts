import { invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { bomErrors } from './bom-errors.ts'
import { clearBom, lockBom, lockForSteps } from './bom-rules.ts'
import { trackAssemblies } from './track-assemblies.ts'

/** Options for copying a BOM. */
export type CopyOptions = {
  /** Whether to delete the part's own lines first. */
  remove_existing: boolean
  /** Whether to copy lines that the other part inherits too. */
  include_inherited: boolean
  /** Whether to skip a line that would make a loop, or takes a fraction of a trackable component; otherwise it rejects the whole copy. */
  skip_invalid: boolean
  copy_substitutes: boolean
}

/** Selects the lines to copy from one part to another: those that the target does not have or inherit already. */
const CANDIDATES = `select item.* from bom_lines($1) item, part target
  where target.pk = $2 and ($3 or item.part = $1)
    and not (item.part = $2 or item.inherited and item.part = any (target.path))`

/** Selects the candidates that would make the target contain a part of its own template tree, or itself through substitutes and allowed variants. */
const LOOPS = `with recursive candidate as (${CANDIDATES}), below (line, inherited, part, replaced) as (
    (
      select pk, inherited, sub_part, false from candidate
      union all
      select candidate.pk, candidate.inherited, variant.pk, true
      from candidate join part variant on variant.path @> array[candidate.sub_part] and variant.pk <> candidate.sub_part
      where candidate.allow_variants
    )
    union
    select below.line, below.inherited, next.part, below.replaced or next.replaced
    from below cross join lateral bom_parts(below.part) next
  )
  select distinct below.line from below
  join part component on component.pk = below.part
  join part target on target.pk = $2
  where case when below.replaced
    then component.pk = target.pk or below.inherited and component.path @> array[target.pk]
    else component.path[1] = target.path[1]
  end`

/** Selects the candidates that take a fraction of a component that has become trackable since. */
const FRACTIONS = `select candidate.pk as line from (${CANDIDATES}) candidate
  join part component on component.pk = candidate.sub_part and component.trackable
  where candidate.quantity <> trunc(candidate.quantity)`

const COPY = `with copied as materialized (
    select nextval(pg_get_serial_sequence('bom_item', 'pk'))::integer as new_pk, candidate.*
    from (${CANDIDATES}) candidate where candidate.pk <> all ($4::integer[]) order by candidate.pk
  ), inserted as (
    insert into bom_item
      (pk, part, sub_part, quantity, entered_quantity, reference, note, overage, setup_quantity, attrition, rounding_multiple,
       optional, consumable, inherited, allow_variants, metadata)
    select new_pk, $2, sub_part, quantity, entered_quantity, reference, note, overage, setup_quantity, attrition, rounding_multiple,
      optional, consumable, inherited, allow_variants, metadata
    from copied returning sub_part
  ), inserted_substitute as (
    insert into bom_item_substitute (bom_item, part, metadata)
    select copied.new_pk, substitute.part, substitute.metadata
    from copied join bom_item_substitute substitute on substitute.bom_item = copied.pk
    where $5 and not exists (
      select from bom_below(substitute.part) below join part on part.pk = below.part where part.path @> array[$2]
    )
    order by substitute.pk
  )
  select sub_part from inserted`

/**
 * Copies the BOM lines of one part to another, not validated.
 * @throws Problem when a line would make the part contain itself, or takes a fraction of a trackable component, unless such lines are
 *   skipped
 */
export async function copyBom(tx: Tx, source: number, target: number, options: CopyOptions): Promise<void> {
  await lockBom(tx)
  await lockForSteps(tx, [target])
  if (options.remove_existing) await clearBom(tx, [target])
  const parameters = [source, target, options.include_inherited]
  const loops = await tx.query<{ line: number }>(LOOPS, parameters)
  if (loops.length && !options.skip_invalid) throw invalidObject(bomErrors.bom_copy_loop)
  const fractions = await tx.query<{ line: number }>(FRACTIONS, parameters)
  if (fractions.length && !options.skip_invalid) throw invalidObject(bomErrors.bom_copy_fraction)
  const skippedLines = [...loops, ...fractions].map(({ line }) => line)
  const copiedLines = await tx.query<{ sub_part: number }>(COPY, [...parameters, skippedLines, options.copy_substitutes])
  await trackAssemblies(
    tx,
    copiedLines.map(({ sub_part }) => sub_part),
  )
}
