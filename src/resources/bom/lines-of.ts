import type { Expression } from '../../kit/sql/sql.ts'

/**
 * The lines of a part's BOM, its own and those inherited from templates above it, as a table. Triggers and actions use the equivalent
 * function `bom_lines()`; lists have to state the tables that they read.
 * @param part SQL of the part's key
 */
export const linesOf = (part: Expression): Expression => `(
  select line.* {from part} whole {join bom_item} line on line.part = any (whole.path) and (line.part = whole.pk or line.inherited)
  where whole.pk = ${part}
)`

/** Digest of a whole BOM: the checksum that its part has when the BOM is validated. */
export const digestOf = (part: Expression): Expression => `(
  select bytes_text(decode(md5(${part}::text || coalesce(string_agg(line.digest, '' order by line.pk), '')), 'hex'))
  from ${linesOf(part)} line
)`

/**
 * The parts that can be used for lines, as a table of keys: their components, allowed variants of these, and substitutes; all only if they
 * are as trackable as the component.
 * @param lines SQL of a table of lines
 */
export const usableFor = (lines: Expression): Expression => `(
  select line.sub_part as pk from ${lines} line
  union all
  select variant.pk from ${lines} line {join part} component on component.pk = line.sub_part
  {join part} variant on variant.path @> array[component.pk] and variant.trackable = component.trackable
  where line.allow_variants
  union all
  select other.pk from ${lines} line {join part} component on component.pk = line.sub_part
  {join bom_item_substitute} substitute on substitute.bom_item = line.pk
  {join part} other on other.pk = substitute.part and other.trackable = component.trackable
)`

/** The keys of the lines that can use a part: as component, as a variant of it, or as a substitute. */
export const linesUsing = (part: Expression): Expression => `(
      select used.pk {from bom_item} used where used.sub_part = ${part}
      union all
      select used.pk {from part} variant {join bom_item} used on used.sub_part = any (variant.path) and used.allow_variants
      where variant.pk = ${part}
      union all
      select other.bom_item {from bom_item_substitute} other where other.part = ${part}
    )`

/** Number of parts with an own or inherited line that can use a part. */
export const countOfAssemblies = (part: Expression): Expression => `(
  select count(distinct assembly.pk) {from bom_item} line cross join lateral (
    select line.part as pk
    union all
    select heir.pk {from part} heir where line.inherited and heir.path @> array[line.part]
  ) assembly
  where line.pk in ${linesUsing(part)}
)`
