import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Resource } from '../definition/resource.ts'
import { type Expression, type Parameters, quote, referencedTableOf, Scope } from '../sql/sql.ts'

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
 * Where there are few rows to the objects, they are sorted (`sorted`), which is then quicker.
 *
 * Undefined for other orders, and where PostgreSQL does as well by itself. For whole lists, and those narrowed by conditions that many
 * rows fulfil: rows of each object are counted until the page is reached, and of few rows it would count many in vain.
 * @param page.limit `limit 25`
 * @param page.isLater whether rows come before the page (`{@offset}`)
 * @param page.total how many rows there are in all, as it is kept; null in SQL where it is not known now
 * @returns parts of a `with`, and a statement for the keys of the rows of the page in their order, at most `limit` of them
 */
export function orderByObject(
  resource: Resource,
  page: { conditions: readonly Expression[]; order: readonly string[]; limit: string; isLater: boolean; total?: string },
  parameters: Parameters,
): { parts: string[]; keys: string } | undefined {
  const { conditions, order, limit, isLater, total } = page
  const by = readOrder(resource.table, order[0] as string)
  if (!by) return undefined
  const { direction, lacksObject, lacksKey } = by
  const isOptional = lacksObject || lacksKey
  if (!isOptional && !isLater) return undefined

  /** What rows under this alias have to fulfil, behind other conditions. */
  const fulfil = (alias: string) => {
    const row = new Scope(resource.table, alias, parameters)
    return conditions.map((sql) => ` and (${row.expression(sql)})`).join('')
  }
  const narrowing = { conditions, fulfil }
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
  // Whether it is worth it is asked here, of `passed` too, which has no row then: among the joins of `having` it would keep PostgreSQL from
  // remembering what it has looked up for rows before.
  const following = isLater ? `${direction === 'desc' ? '<' : '>'} (select key from passed)` : `is not null and ${IS_WORTH}`
  const ordered = `${keyed(following)} order by ${objects.key} ${direction} limit ${ALL}`
  // So few objects are enough, for each has a row: PostgreSQL knows then that it has little to sort. `offset 0` keeps it from looking up all of them.
  const next = `select * from (${ordered}) object where exists (select from ${table} own where own.${reference} = object.pk${fulfil('own')} offset 0)
    order by key ${direction} fetch first (${limit.replace('limit ', '')}) rows with ties`
  const near = isLater ? `(${keyed('= (select key from passed)')}) union all (${next})` : next
  const having = `select t.pk from (${near}) near join ${table} t on t.${reference} = near.pk ${scope.joins} where true${fulfil('t')}
    order by near.key ${direction}, ${rest} ${limit} ${isLater ? `offset greatest(${before} - (select rows from passed), 0)` : ''}`
  // from the end, too, where all rows have an object: else those that have none come between
  const passed = isLater ? passedOver(resource, by, { before, total: isOptional ? undefined : total }, narrowing, parameters) : []
  const full = new Scope(resource.table, 't', parameters)
  const every = order.map((entry) => full.expression(entry)).join(', ')
  const sorted = `sorted as materialized (select t.pk from ${table} t ${full.joins} where not ${IS_WORTH}${fulfil('t')}
    order by ${every} ${limit} ${isLater ? `offset ${offset}` : ''})`
  const choice = [worth(resource.table, by.objects), sorted]
  const either = (keys: string) => `(select pk from sorted) union all (${keys}) ${limit}`
  if (!isOptional) return { parts: [...choice, ...passed], keys: either(having) }

  // Where rows are passed over, a row's object is looked up among those that have nothing, which PostgreSQL hashes if they are not too
  // many; joined, each would be looked up in its table.
  const isHashed = isLater && lacksKey && !by.path.includes('.')
  const nothing = isHashed
    ? `(t.${reference} is null or exists (select from ${objects.from} where object.pk = t.${reference} and ${objects.key} is null) is true)`
    : `${full.column(`${by.reference}.${by.path}`)} is null`
  const isLacking = lacksKey ? nothing : `t.${reference} is null`
  const joins = isHashed ? scope.joins : [...new Set([...full.joinList, ...scope.joinList])].join(' ')
  const lacking = `select t.pk from ${table} t ${joins} where ${IS_WORTH} and ${isLacking}${fulfil('t')} order by ${rest} ${limit} ${isLater ? `offset ${isLackingFirst ? offset : behind}` : ''}`
  // one after the other: what follows is read only if the page is not full before
  const both = isLackingFirst ? [lacking, having] : [having, lacking]
  return {
    parts: [...choice, ...(isLater ? [firstPart(resource, by, isLackingFirst, narrowing, parameters), ...passed] : [])],
    keys: either(`${both.map((one) => `(${one})`).join(' union all ')} ${limit}`),
  }
}

const IS_WORTH = '(select is_worth from worth)'

/** Whether there are several rows to an object: to go through many objects for the sake of few rows takes longer than to sort these. */
function worth(table: PgTable, objects: PgTable): string {
  const total = (of: PgTable) => `coalesce(sum(rows) filter (where table_name = '${getTableName(of)}'), 0)`
  return `worth as materialized (select ${total(table)} > 2 * ${total(objects)} as is_worth from change_counter)`
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

/** The objects, and what they are ordered by. */
function objectsOf(by: ByObject, parameters: Parameters) {
  const scope = new Scope(by.objects, 'object', parameters)
  const key = scope.column(by.path)
  return { key, from: `${quote(getTableName(by.objects))} object ${scope.joins}` }
}

/** What rows have to fulfil, and the same of rows under an alias, behind other conditions. */
type Narrowing = { conditions: readonly Expression[]; fulfil: (alias: string) => string }

/** How many rows of the list an object has: as it is kept, or else counted. */
function rowsOfObject(
  resource: Resource,
  { reference, objects }: ByObject,
  narrowing: Narrowing,
  parameters: Parameters,
): string {
  const [first, ...more] = narrowing.conditions
  const keptOf = first === undefined ? resource.rowsOf : more.length === 0 ? resource.tallied?.[first]?.of : undefined
  const kept = keptOf?.[reference]
  const narrowed = narrowing.fulfil('counted')
  return kept
    ? new Scope(objects, 'object', parameters).expression(kept)
    : `(select count(*) from ${quote(getTableName(resource.table))} counted where counted.${quote(reference)} = object.pk${narrowed})`
}

/**
 * The first object of which rows belong on the page, by what it is ordered by (`key`), and how many rows come before its (`rows`). Where
 * `total` says how many rows there are in all, and more are passed over than come then, the objects are gone through from the end.
 */
function passedOver(
  resource: Resource,
  by: ByObject,
  { before, total }: { before: string; total: string | undefined },
  narrowing: Narrowing,
  parameters: Parameters,
): string[] {
  const { key, from } = objectsOf(by, parameters)
  const rows = `${rowsOfObject(resource, by, narrowing, parameters)}::integer`
  const backwards = by.direction === 'desc' ? 'asc' : 'desc'
  /** The first in this direction through which so many rows come; several objects may be alike in it, and are taken together. */
  const first = (direction: string, isAsked: string, reached: string) => {
    const way = `order by key ${direction}`
    const counted = `select ${key} as key, ${rows} as rows from ${from} where ${IS_WORTH} and ${isAsked} and ${key} is not null
      ${way} limit ${ALL}`
    // said twice, the order lets the sum be made in one go
    const sums = `select key, sum(rows) over (${way}) as through from (${counted}) one`
    return `(select key, through from (${sums}) sums where through ${reached} ${way} limit 1) found`
  }
  const own = `(select coalesce(sum(${rows}), 0) from ${from} where ${key} = found.key)`
  const fromStart = (isAsked: string) =>
    `select key, through - ${own} as rows from ${first(by.direction, isAsked, `> ${before}`)}`
  if (total === undefined) return [`passed as materialized (${fromStart('true')})`]
  const all = '(select total from far)'
  const isFar = '(select is_far from far)'
  const fromEnd = `select key, ${all} - through from ${first(backwards, isFar, `>= ${all} - ${before}`)}`
  return [
    `far as materialized (select total, coalesce(${before} > total / 2, false) as is_far from (select ${total} as total) all_rows)`,
    `passed as materialized ((${fromStart(`not ${isFar}`)}) union all (${fromEnd}))`,
  ]
}

/** How many rows come before the second of both kinds: those that have nothing to be ordered by, or those that have. */
function firstPart(
  resource: Resource,
  by: ByObject,
  isLackingFirst: boolean,
  narrowing: Narrowing,
  parameters: Parameters,
): string {
  const { key, from } = objectsOf(by, parameters)
  const rows = rowsOfObject(resource, by, narrowing, parameters)
  const ofObjects = `(select coalesce(sum(${rows}::integer), 0) from ${from} where ${key} is ${isLackingFirst ? '' : 'not '}null)`
  const inIndex = `(select count(*) from ${quote(getTableName(resource.table))} t where t.${quote(by.reference)} is ${isLackingFirst ? '' : 'not '}null${narrowing.fulfil('t')})`
  const sum = !by.lacksKey ? inIndex : isLackingFirst && by.lacksObject ? `${inIndex} + ${ofObjects}` : ofObjects
  return `first_part as materialized (select case when ${IS_WORTH} then ${sum} end as rows)`
}
