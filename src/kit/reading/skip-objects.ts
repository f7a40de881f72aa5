import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Condition } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { type Expression, quote, referencedTableOf, Scope } from '../sql/sql.ts'

/** Pages that begin before this row are read in order directly: that is as fast there. */
export const SKIP_FROM = 5_000

/** More objects than exist: with a limit PostgreSQL keeps their order, and counts only the rows of those that it reaches. */
const ALL = 'limit 2147483647'

/**
 * The keys of a deep page in an order that begins with a column of a referenced object, such as the name of the part: skips whole objects
 * with all their rows, by the stored counts of `rowsOf`, up to the object in which the page begins (ADR 0049).
 *
 * Undefined if there is no stored count, and for other conditions than those of `tallied`.
 * @param end `limit 25`, or another end of the page
 * @param row a scope of the rows of the list
 * @returns parts of a `with` clause, and a statement of the keys (`pk`)
 */
export function skipObjects(
  resource: Resource,
  { conditions, order }: { conditions: readonly Condition[]; order: readonly string[] },
  end: string,
  row: Scope,
): { parts: string[]; keys: string } | undefined {
  const [first = '', ...rest] = order
  const [, reference = '', column = '', direction] = /^\{(\w+)\.(\w+)\} (asc|desc)$/.exec(first) ?? []
  const count = storedCount(resource, conditions, reference)
  const objects = referencedTableOf(resource.table, reference)
  if (!count || !objects || !isFilled(resource.table, reference) || !isFilled(objects, column)) return undefined
  const object = new Scope(objects, 'object', row.parameters, row.tables)
  const from = `from ${quote(getTableName(objects))} object`
  const key = object.column(column)
  const rows = object.expression(count)
  const offset = `${row.parameters.number('offset')}::integer`
  const inOrder = `order by key ${direction}`
  const counted = `select ${key} as key, ${rows} as rows ${from} ${inOrder} ${ALL}`
  const sums = `select key, sum(rows) over (${inOrder})::bigint as through from (${counted}) one`
  // objects with the same key are skipped, or not, together
  const own = `(select sum(${rows}) ${from} where ${key} = found.key)::bigint`
  const skipped = `skipped as materialized (
    select key, through - ${own} as rows from (select key, through from (${sums}) sums where through > ${offset} ${inOrder} limit 1) found)`
  const by = rest.map((entry) => row.expression(entry)).join(', ')
  const where = conditions.map(({ sql }) => row.expression(sql)).join(' and ') || 'true'
  const near = `select object.pk, ${key} as key ${from} where ${key} ${direction === 'asc' ? '>=' : '<='} (select key from skipped) ${inOrder} ${ALL}`
  const keys = `select t.pk from (${near}) near join ${quote(getTableName(resource.table))} t on t.${quote(reference)} = near.pk ${row.joins}
    where ${where} order by near.key ${direction}, ${by} ${end} offset ${offset} - (select rows from skipped)`
  return { parts: [skipped], keys }
}

/** The number of the list's rows that refer to an object, if it is stored. */
function storedCount({ rowsOf, tallied }: Resource, conditions: readonly Condition[], reference: string): Expression | undefined {
  const [first, ...more] = conditions
  if (!first) return rowsOf?.[reference]
  return more.length === 0 ? tallied?.[first.sql]?.of?.[reference] : undefined
}

const isFilled = (table: Table | PgTable, name: string): boolean =>
  Object.values(getTableColumns(table)).some((column) => column.name === name && column.notNull)
