/**
 * SQL condition for whether stock of a part can be converted to another part: a variant of it at any depth, the template directly above, or
 * another variant of that; active and not virtual.
 * @param target SQL for a column of the other part
 * @param own the alias of the part in the statement
 */
export const convertibleCondition = (target: (column: string) => string, own: string): string =>
  `${target('pk')} <> ${own}.pk and ${target('active')} and not ${target('virtual')}
   and (${target('path')} @> array[${own}.pk] or ${target('pk')} = ${own}.variant_of or ${target('variant_of')} = ${own}.variant_of)`
