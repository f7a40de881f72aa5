import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Condition } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { type Expression, findTableReferencedByKey, quote, Scope } from '../sql/sql.ts'

/** Pages that begin before this row are read directly, which is as fast there. */
export const MIN_SKIP_OFFSET = 5_000

/** A limit that no table reaches. With a limit, PostgreSQL keeps the order of a sub-select, and counts only the rows of the objects that it reads. */
const MAX_LIMIT = 'limit 2147483647'

/**
 * The keys of a deep page in an order that begins with a column of a referenced object, such as the name of the part: skips whole objects
 * with all their rows, by the stored counts of `rowsOf`, up to the object in which the page begins (ADR 0049).
 *
 * Undefined if there is no stored count, and for conditions other than those in `storedCounts`.
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
  const objects = findTableReferencedByKey(resource.table, reference)
  if (!count || !objects || !isNotNull(resource.table, reference) || !isNotNull(objects, column)) return undefined
  const object = new Scope(objects, 'object', row.parameters, row.tables)
  const from = `from ${quote(getTableName(objects))} object`
  const key = object.column(column)
  const rows = object.expression(count)
  const offset = `${row.parameters.number('offset')}::integer`
  const orderByKey = `order by key ${direction}`
  const rowCounts = `select ${key} as key, ${rows} as rows ${from} ${orderByKey} ${MAX_LIMIT}`
  const runningSums = `select key, sum(rows) over (${orderByKey})::bigint as total from (${rowCounts}) row_counts`
  // objects with the same key are skipped together, or not at all
  const rowsOfSameKey = `(select sum(${rows}) ${from} where ${key} = first_object.key)::bigint`
  const skipped = `skipped as materialized (
    select key, total - ${rowsOfSameKey} as rows from (select key, total from (${runningSums}) running_sums where total > ${offset} ${orderByKey} limit 1) first_object)`
  const rowOrder = rest.map((entry) => row.expression(entry)).join(', ')
  const where = conditions.map(({ sql }) => row.expression(sql)).join(' and ') || 'true'
  const remaining = `select object.pk, ${key} as key ${from} where ${key} ${direction === 'asc' ? '>=' : '<='} (select key from skipped) ${orderByKey} ${MAX_LIMIT}`
  const keys = `select t.pk from (${remaining}) remaining join ${quote(getTableName(resource.table))} t on t.${quote(reference)} = remaining.pk ${row.joins}
    where ${where} order by remaining.key ${direction}, ${rowOrder} ${end} offset ${offset} - (select rows from skipped)`
  return { parts: [skipped], keys }
}

/** The number of the list's rows that refer to an object, if it is stored. */
function storedCount(
  { rowsOf, storedCounts: tallied }: Resource,
  conditions: readonly Condition[],
  reference: string,
): Expression | undefined {
  const [first, ...more] = conditions
  if (!first) return rowsOf?.[reference]
  return more.length === 0 ? tallied?.[first.sql]?.of?.[reference] : undefined
}

const isNotNull = (table: Table | PgTable, name: string): boolean =>
  Object.values(getTableColumns(table)).some((column) => column.name === name && column.notNull)
