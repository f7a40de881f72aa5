import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Caller } from './caller.ts'
import {
  type Condition,
  type Filter,
  type FilterReference,
  FLAG_TRUE,
  type Query,
  readFilter,
  unknownReference,
} from './filter.ts'
import type { Resource } from './resource.ts'
import { readSearch } from './search.ts'
import { type Flags, readFlags, selectList } from './select.ts'
import type { Services } from './services.ts'
import { callerValues, type Expression, Parameters, quote, Scope, tablesRead } from './sql.ts'
import { nameStatement } from './statement.ts'

/** A page of a list: how many rows there are in all, and those of the page as JSON text. */
export type Page = { count: number; rows: string }

/** Where a page begins and how long it is; `undefined`: no end. */
export type Window = { limit: number | undefined; offset: number }

type Compiled = {
  text: string
  names: readonly string[]
  name: string | undefined
  /** One plan is right for all values. That of a search depends on how rare the word is, so it is planned each time. */
  keepsPlan: boolean
  changesDaily: boolean
  /** Exact counts already known, each with the change counters it was counted under. */
  counts: LRUCache<string, { stamp: string; count: number }>
}

const LARGEST = 2_147_483_647

/** Decision 1: a limit that is absent, 0 or junk is none; an offset that is negative or junk is 0. */
export function readWindow(query: Query, maximum: number, endless: boolean): Window {
  const number = (text: string | undefined) =>
    text !== undefined && /^\s*\+?\d{1,15}\s*$/.test(text) ? Math.min(Number(text), LARGEST) : 0
  const limit = number(query.limit)
  if (!limit && endless) return { limit: undefined, offset: 0 }
  return { limit: Math.min(limit || maximum, maximum), offset: number(query.offset) }
}

/** The names that a list can be ordered by, each with what it means. */
export function orderings(resource: Resource): Record<string, Expression[]> {
  const own = Object.entries(resource.fields).flatMap(([name, field]) => (field.order ? [[name, field.order] as const] : []))
  return { ...Object.fromEntries(own), ...resource.order }
}

/** Every filter of a list by its parameter's name. */
export function filters(resource: Resource): Record<string, Filter> {
  const own = Object.entries(resource.fields).flatMap(([name, field]) => (field.filter ? [[name, field.filter] as const] : []))
  return { ...Object.fromEntries(own), ...resource.filters }
}

const derived = <T>(make: (resource: Resource) => T) => {
  const made = new WeakMap<Resource, T>()
  return (resource: Resource): T => {
    const known = made.get(resource)
    if (known !== undefined) return known
    const value = make(resource)
    made.set(resource, value)
    return value
  }
}
const orderingsOf = derived(orderings)
const filtersOf = derived((resource) => Object.entries(filters(resource)))

/** The order of a list, as SQL: unknown names are passed over; the primary key comes last. */
function readOrder(resource: Resource, query: Query): string[] {
  const known = orderingsOf(resource)
  const read = (names: readonly string[]) =>
    names.flatMap((entry) => {
      const name = entry.trim()
      const descending = name.startsWith('-')
      const plain = descending ? name.slice(1) : name
      const meaning =
        (Object.hasOwn(known, plain) ? known[plain] : undefined) ?? (['pk', '-pk'].includes(name) ? ['{pk}'] : undefined)
      return meaning?.map((sql) => `${sql} ${descending ? 'desc' : 'asc'}`) ?? []
    })
  const asked = [...new Set(read((query.ordering ?? '').split(',').slice(0, 10)))]
  const order = asked.length ? asked : read(resource.defaultOrder ?? [])
  return order.some((entry) => entry.startsWith('{pk} '))
    ? order
    : [...order, `{pk} ${order[0]?.endsWith(' desc') ? 'desc' : 'asc'}`]
}

export type ListRequest = {
  conditions: Condition[]
  references: FilterReference[]
  order: string[]
  flags: Flags
  window: Window
}

/** Reads a list's query. What cannot be parsed is refused, naming the parameter; what is unknown is ignored. */
export function readListRequest(
  resource: Resource,
  query: Query,
  caller: Caller | undefined,
  window: Window,
  services: Services,
): ListRequest {
  const lenient = services.config.wireForm === 'inventree'
  const conditions: Condition[] = []
  const references: FilterReference[] = []
  const take = (read: Condition | FilterReference | undefined) => {
    if (!read) return
    if ('sql' in read) {
      conditions.push(read)
      return
    }
    conditions.push(read.condition)
    references.push(read)
  }
  for (const [name, filter] of filtersOf(resource)) {
    if (filter.kind === 'custom') {
      if (filter.names.some((entry) => query[entry]))
        take(filter.read(query, { setting: (key) => services.settings.get(key), config: services.config }))
      continue
    }
    const value = query[name]
    if (value !== undefined) take(readFilter(name, filter, value, lenient))
  }
  conditions.push(...readSearch(resource, query))
  const own = resource.rows?.(caller)
  if (own) conditions.push(own)
  return {
    conditions,
    references,
    order: readOrder(resource, query),
    flags: readFlags(resource, query, (value) => FLAG_TRUE.has(value.toLowerCase()), 'list'),
    window,
  }
}

const compiled = new LRUCache<string, Compiled>({ max: 2_000 })
const shapes = new WeakMap<Resource, number>()
let shapeCount = 0

const USUAL_LIMITS = new Set([1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000])

/**
 * The end of a list statement. Usual limits stand in its text: PostgreSQL takes an unknown limit for a tenth of the table,
 * and then plans every execution anew because no general plan seems good enough.
 */
function boundsOf({ limit, offset }: Window): string {
  if (limit === undefined) return ''
  return `limit ${USUAL_LIMITS.has(limit) ? limit : '@limit::integer'}${offset ? ' offset @offset::integer' : ''}`
}

/** The text of a list statement depends on which conditions, order and flags there are, and is made once for each such shape. */
function compile(resource: Resource, request: ListRequest): Compiled {
  const number = shapes.get(resource) ?? ++shapeCount
  shapes.set(resource, number)
  const bounds = boundsOf(request.window)
  const key = [
    number,
    bounds,
    ...request.conditions.map((entry) => entry.sql),
    '|',
    ...request.order,
    '|',
    ...request.flags,
  ].join('\u0001')
  const known = compiled.get(key)
  if (known) {
    if (known.keepsPlan) known.name ??= nameStatement()
    return known
  }
  const parameters = new Parameters()
  const table = quote(getTableName(resource.table))
  const hit = new Scope(resource.table, 't', parameters)
  const where = request.conditions
    .map((condition, at) => {
      for (const read of tablesRead(condition.sql)) hit.tables.add(read)
      return `(${hit.expression(condition.sql, (name) => (name.startsWith('value') ? `${at}:${name}` : name))})`
    })
    .join(' and ')
  const found = `from ${table} t ${hit.joins}${where ? ` where ${where}` : ''}`
  const counted = [...hit.tables].map((name) => `'${name}'`).join(', ')
  const isSearch = / ilike | ~\* /.test(where)
  const order = new Scope(resource.table, 't', parameters)
  const by = request.order.map((entry) => order.expression(entry)).join(', ')
  const page = new Scope(resource.table, 't', parameters)
  const rows = selectList(resource.fields, page, request.flags)
  const end = `order by ${by} ${bounds.replaceAll(/@(limit|offset)/g, (_, name: string) => parameters.number(name))}`
  // A search reads what it finds once, for the page and for the count. How much that is cannot be known in advance: rows are
  // fetched one by one, which is quick for the few of most searches and bearable for many.
  const paged = isSearch
    ? `select t.* from hit cross join lateral (select * from ${table} row where row.pk = hit.pk limit 1) t ${order.joins} ${end}`
    : `select t.* from ${table} t ${joinsOf(hit, order)}${where ? ` where ${where}` : ''} ${end}`
  const count = isSearch
    ? '(select count(*) from hit)'
    : `case when k.stamp = ${parameters.number('known')}::numeric then ${parameters.number('count')}::bigint else (select count(*) ${found}) end`
  const text = [
    isSearch ? `with hit as materialized (select t.pk ${found})` : '',
    `select k.stamp::text as stamp, ${count} as count,`,
    `(select coalesce(json_agg(r), '[]')::text from (${inOrder(rows, paged, page.joins)}) r) as rows`,
    `from (select coalesce(sum(value), 0) as stamp from change_counter where table_name in (${counted})) k`,
  ].join(' ')
  const made: Compiled = {
    text,
    names: parameters.names,
    name: undefined,
    keepsPlan: !isSearch,
    changesDaily: /current_date|now\(\)/.test(where),
    counts: new LRUCache({ max: 1_000 }),
  }
  compiled.set(key, made)
  return made
}

/** The rows of a page in its order, which a join could lose. */
const inOrder = (rows: string, paged: string, joins: string): string =>
  joins
    ? `select ${rows} from (select t.*, row_number() over () as "n#" from (${paged}) t) t ${joins} order by t."n#"`
    : `select ${rows} from (${paged}) t`

/** The joins of both scopes, which name the same ones alike. */
const joinsOf = (...scopes: Scope[]): string => [...new Set(scopes.flatMap((scope) => scope.joinList))].join(' ')

const PAGING = new Set(['limit', 'offset', 'known', 'count'])

/** What a count holds for: the values of its conditions and, where they speak of today, the day. */
function countedUnder(statement: Compiled, values: Record<string, unknown>): string {
  const day = statement.changesDaily ? new Date().toISOString().slice(0, 10) : ''
  return statement.names.reduce((key, name) => (PAGING.has(name) ? key : `${key}\u0001${values[name]}`), day)
}

/** Runs a list: one statement gives the page and the exact count, both of the same snapshot. */
export async function runList(
  resource: Resource,
  request: ListRequest,
  caller: Caller | undefined,
  services: Services,
): Promise<Page> {
  const statement = compile(resource, request)
  const { limit, offset } = request.window
  const values: Record<string, unknown> = { limit, offset, ...callerValues(caller) }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services)
  for (const [at, condition] of request.conditions.entries()) {
    for (const [index, value] of condition.values.entries()) values[`${at}:value${index || ''}`] = value
  }
  const key = countedUnder(statement, values)
  const known = statement.counts.get(key)
  values.known = known?.stamp ?? null
  values.count = known?.count ?? null
  const [row] = await services.database.texts({
    text: statement.text,
    name: statement.name,
    values: statement.names.map((name) => values[name]),
  })
  if (!row) throw new Error('a list statement gives one row')
  const [stamp, counted, rows] = row as [string, string, string]
  const count = Number(counted)
  if (known?.stamp !== stamp) statement.counts.set(key, { stamp, count })
  const ignored = request.references.length ? await checkReferences(request.references, count, services) : []
  if (ignored.length === 0) return { count, rows }
  const conditions = request.conditions.filter((condition) => !ignored.includes(condition))
  return runList(resource, { ...request, conditions, references: [] }, caller, services)
}

/**
 * A filter by an object that does not exist is refused, or given back to be ignored. Rows found prove that the object exists,
 * unless the filter excludes.
 */
async function checkReferences(references: FilterReference[], count: number, services: Services): Promise<Condition[]> {
  const ignored: Condition[] = []
  for (const reference of references) {
    if (count > 0 && !reference.negative) continue
    const scope = new Scope(reference.table, 'r', new Parameters())
    const where = reference.where ? ` and (${scope.expression(reference.where)})` : ''
    const [row] = await services.database.read({
      text: `select 1 from ${quote(getTableName(reference.table))} r ${scope.joins} where r.${quote(reference.column ?? 'pk')} = $1${where} limit 1`,
      values: [reference.pk],
    })
    if (row) continue
    if (!reference.ignore) throw unknownReference(reference.name, reference.refusal)
    ignored.push(reference.condition)
  }
  return ignored
}
