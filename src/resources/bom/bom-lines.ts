import type { Expression } from '../../kit/sql/sql.ts'

/**
 * The lines of a part's BOM, its own and those inherited from templates above it, as a table. Triggers and actions use the equivalent
 * function `bom_lines()`; lists have to state the tables that they read.
 * @param part SQL of the part's key
 */
export const selectBomLines = (part: Expression): Expression => `(
  select line.* {from part} assembly {join bom_item} line on line.part = any (assembly.path) and (line.part = assembly.pk or line.inherited)
  where assembly.pk = ${part}
)`

/** Digest of a whole BOM: the checksum that its part has when the BOM is validated. */
export const selectBomDigest = (part: Expression): Expression => `(
  select bytes_text(decode(md5(${part}::text || coalesce(string_agg(line.digest, '' order by line.pk), '')), 'hex'))
  from ${selectBomLines(part)} line
)`

/**
 * The parts that can be used for lines, as a table of keys: their components, allowed variants of these, and substitutes. A variant or a
 * substitute counts only if it is trackable and its component is, or if neither is.
 * @param lines SQL of a table of lines
 */
export const selectUsableParts = (lines: Expression): Expression => `(
  select line.sub_part as pk from ${lines} line
  union all
  select variant.pk from ${lines} line {join part} component on component.pk = line.sub_part
  {join part} variant on variant.path @> array[component.pk] and variant.trackable = component.trackable
  where line.allow_variants
  union all
  select substitute_part.pk from ${lines} line {join part} component on component.pk = line.sub_part
  {join bom_item_substitute} substitute on substitute.bom_item = line.pk
  {join part} substitute_part on substitute_part.pk = substitute.part and substitute_part.trackable = component.trackable
)`

/** The keys of the lines that can use a part: as component, as a variant of it, or as a substitute. */
export const selectLinesUsing = (part: Expression): Expression => `(
      select usable_line.pk {from bom_item} usable_line where usable_line.sub_part = ${part}
      union all
      select usable_line.pk {from part} variant {join bom_item} usable_line
      on usable_line.sub_part = any (variant.path) and usable_line.allow_variants
      where variant.pk = ${part}
      union all
      select substitute.bom_item {from bom_item_substitute} substitute where substitute.part = ${part}
    )`

/** Number of parts with an own or inherited line that can use a part. */
export const countAssembliesUsing = (part: Expression): Expression => `(
  select count(distinct assembly.pk) {from bom_item} line cross join lateral (
    select line.part as pk
    union all
    select variant.pk {from part} variant where line.inherited and variant.path @> array[line.part]
  ) assembly
  where line.pk in ${selectLinesUsing(part)}
)`
