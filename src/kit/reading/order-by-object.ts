import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Resource } from '../definition/resource.ts'
import { type Parameters, quote, referencedTableOf, Scope } from '../sql/sql.ts'

/** An order of which the first term is of an object that the rows refer to. */
type ByObject = {
  /** The column that refers, and the table it refers to. */
  reference: string
  objects: PgTable
  /** What it is ordered by: a path from that table. */
  path: string
  direction: 'asc' | 'desc'
  /** Whether there may be no object, or nothing in it to order by. */
  lacksObject: boolean
  lacksKey: boolean
}

/** More than there are: with a limit PostgreSQL sorts first, and counts or looks up only what is then read. */
const ALL = 2_147_483_647

/**
 * How a page is found in an order that begins with something of a referenced object, such as the name of the part: no index has the
 * rows of one table in the order of another. The objects are gone through in that order; those before the page are passed over with all
 * their rows at once, by how many they have; only the rows of the object at which the page begins, and on, are looked at. Where there
 * may be no object, or nothing in it to order by, such rows are read apart: they come last, or first when the order is reversed.
 *
 * Undefined for other orders, and where PostgreSQL does as well by itself. For lists without conditions alone: how many rows of an object
 * fit a condition would have to be found out from the rows.
 * @param order as in definitions, with directions
 * @param limit `limit 25`
 * @param isLater whether rows come before the page (`{@offset}`)
 * @returns parts of a `with`, and a statement for the keys of the rows of the page in their order, at most `limit` of them
 */
export function orderByObject(
  resource: Resource,
  order: readonly string[],
  parameters: Parameters,
  limit: string,
  isLater: boolean,
): { parts: string[]; keys: string } | undefined {
  const by = readOrder(resource.table, order[0] as string)
  if (!by) return undefined
  const { direction, lacksObject, lacksKey } = by
  const isOptional = lacksObject || lacksKey
  if (!isOptional && !isLater) return undefined

  const table = quote(getTableName(resource.table))
  const reference = quote(by.reference)
  const scope = new Scope(resource.table, 't', parameters)
  const rest = order
    .slice(1)
    .map((entry) => scope.expression(entry))
    .join(', ')
  const isLackingFirst = isOptional && direction === 'desc'
  const offset = isLater ? `${parameters.number('offset')}::integer` : '0'
  const behind = `greatest(${offset} - (select rows from first_part), 0)`
  const before = isLackingFirst ? behind : offset

  const objects = objectsOf(by, parameters)
  const keyed = (where: string) => `select object.pk, ${objects.key} as key from ${objects.from} where ${objects.key} ${where}`
  const following = isLater ? `${direction === 'desc' ? '<' : '>'} (select key from passed)` : 'is not null'
  const ordered = `${keyed(following)} order by ${objects.key} ${direction} limit ${ALL}`
  // So few objects are enough, for each has a row: PostgreSQL knows then that it has little to sort. `offset 0` keeps it from looking up all of them.
  const next = `select * from (${ordered}) object where exists (select from ${table} own where own.${reference} = object.pk offset 0)
    order by key ${direction} fetch first ${limit.replace('limit ', '')} rows with ties`
  const near = isLater ? `(${keyed('= (select key from passed)')}) union all (${next})` : next
  const having = `select t.pk from (${near}) near join ${table} t on t.${reference} = near.pk ${scope.joins}
    order by near.key ${direction}, ${rest} ${limit} ${isLater ? `offset greatest(${before} - (select rows from passed), 0)` : ''}`
  const passed = isLater ? [passedOver(resource, by, before, parameters)] : []
  if (!isOptional) return { parts: passed, keys: having }

  const full = new Scope(resource.table, 't', parameters)
  const isLacking = lacksKey ? `${full.column(`${by.reference}.${by.path}`)} is null` : `t.${reference} is null`
  const joins = [...new Set([...full.joinList, ...scope.joinList])].join(' ')
  const lacking = `select t.pk from ${table} t ${joins} where ${isLacking} order by ${rest} ${limit} ${isLater ? `offset ${isLackingFirst ? offset : behind}` : ''}`
  // one after the other: what follows is read only if the page is not full before
  const both = isLackingFirst ? [lacking, having] : [having, lacking]
  return {
    parts: isLater ? [firstPart(resource, by, isLackingFirst, parameters), ...passed] : [],
    keys: `${both.map((one) => `(${one})`).join(' union all ')} ${limit}`,
  }
}

function readOrder(table: PgTable, first: string): ByObject | undefined {
  const [, reference, path, direction] = /^\{(\w+)\.([\w.]+)\} (asc|desc)$/.exec(first) ?? []
  const objects = reference && referencedTableOf(table, reference)
  if (!objects || !path) return undefined
  return {
    reference,
    objects,
    path,
    direction: direction as 'asc' | 'desc',
    lacksObject: !isFilled(table, reference),
    lacksKey: !isWayFilled(objects, path.split('.')),
  }
}

const isFilled = (table: Table, name: string): boolean =>
  Object.values(getTableColumns(table)).some((column) => column.name === name && column.notNull)

const isWayFilled = (table: PgTable, [name = '', ...rest]: string[]): boolean => {
  if (!isFilled(table, name)) return false
  if (rest.length === 0) return true
  const next = referencedTableOf(table, name)
  return next !== undefined && isWayFilled(next, rest)
}

/** The objects with what they are ordered by, and how many rows each has. */
function objectsOf(by: ByObject, parameters: Parameters, resource?: Resource) {
  const scope = new Scope(by.objects, 'object', parameters)
  const key = scope.column(by.path)
  const kept = resource?.rowsOf?.[by.reference]
  const rows = kept
    ? scope.expression(kept)
    : resource &&
      `(select count(*) from ${quote(getTableName(resource.table))} counted where counted.${quote(by.reference)} = object.pk)`
  return { key, rows, from: `${quote(getTableName(by.objects))} object ${scope.joins}` }
}

/** The first object of which rows belong on the page, by what it is ordered by (`key`), and how many rows come before its (`rows`). */
function passedOver(resource: Resource, by: ByObject, before: string, parameters: Parameters): string {
  const { key, rows, from } = objectsOf(by, parameters, resource)
  const way = `order by key ${by.direction}`
  const counted = `select ${key} as key, ${rows}::integer as rows from ${from} where ${key} is not null order by ${key} ${by.direction} limit ${ALL}`
  // several objects may be alike in this; said twice, the order lets both sums be made in one go
  const sums = `select key, sum(rows) over (${way}) as through, sum(rows) over (partition by key ${way}) as own from (${counted}) one`
  return `passed as materialized (select key, through - own as rows from (${sums}) sums where through > ${before} ${way} limit 1)`
}

/** How many rows come before the second of both kinds: those that have nothing to be ordered by, or those that have. */
function firstPart(resource: Resource, by: ByObject, isLackingFirst: boolean, parameters: Parameters): string {
  const { key, rows, from } = objectsOf(by, parameters, resource)
  const ofObjects = `(select coalesce(sum(${rows}::integer), 0) from ${from} where ${key} is ${isLackingFirst ? '' : 'not '}null)`
  const inIndex = `(select count(*) from ${quote(getTableName(resource.table))} t where t.${quote(by.reference)} is ${isLackingFirst ? '' : 'not '}null)`
  const sum = !by.lacksKey ? inIndex : isLackingFirst && by.lacksObject ? `${inIndex} + ${ofObjects}` : ofObjects
  return `first_part as materialized (select ${sum} as rows)`
}
