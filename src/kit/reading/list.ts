// Steps of reading a list:
// 1. `readListWindow`, `findConditions` and `readListRequest` turn the query into a window (a page after an offset, or the next rows after
//    a `cursor`), conditions, an order that ends with the primary key, and the fields to show. A value that cannot be parsed is a 400.
// 2. `getListStatement` (list-statement.ts) builds one SQL statement for this combination and caches it: `buildOffsetPage`, `buildKeysetPage` or
//    `buildSearchPage` finds and counts the rows of the page, and `compile` adds their JSON.
// 3. The statement also returns two versions, of the page and of the count: sums of the change counters of every table that its
//    expressions name (`{from part}`) or its scopes join. They stay the same only while these tables do not change.
// 4. `readPage` (list-cache.ts) sends the versions under which this process has cached the page and the count. PostgreSQL computes, in the
//    snapshot of the request, only those of them that have changed.
// 5. `runList` then looks up the objects that filters name but no row proves to exist. A filter by a missing object is a 400, or the list
//    is read a second time without it. The JSON of the rows is sent as PostgreSQL built it.
import { getTableName } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Flags } from '../definition/field.ts'
import {
  type Condition,
  type Filter,
  type FilterReference,
  type Query,
  readFilter,
  readKey,
  TRUE_WORDS,
  unknownReference,
} from '../definition/filter.ts'
import { ETAG, hasDetail, type Resource } from '../definition/resource.ts'
import type { Caller } from '../request/caller.ts'
import { invalidQuery } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import { type Expression, Parameters, quote, requestValues, Scope } from '../sql/sql.ts'
import { queryErrors } from '../values/value-errors.ts'
import { type Page, readPage } from './list-cache.ts'
import { getListStatement, type PageWindow, type Window } from './list-statement.ts'
import { type RegexLimits, readByRegex } from './regex.ts'
import { readSearch } from './search.ts'
import { addCommonFlags, readFlags } from './select.ts'

const MAX_KEY = 2_147_483_647

/** A limit that is absent, 0 or invalid means no limit; an offset that is negative or invalid means 0. */
export function readWindow(query: Query, maximum: number, isLimitOptional: boolean): PageWindow {
  const parseNumber = (text: string | undefined) =>
    text !== undefined && /^\s*\+?\d{1,15}\s*$/.test(text) ? Math.min(Number(text), MAX_KEY) : 0
  const limit = parseNumber(query.limit)
  if (!limit && isLimitOptional) return { limit: undefined, offset: 0 }
  return { limit: Math.min(limit || maximum, maximum), offset: parseNumber(query.offset) }
}

/** The position before the first row: no key is lower than 0. */
const BEFORE_FIRST_KEY = -1

/**
 * The requested rows of a resource's list: a page, or with `cursor` the next rows of a pass over all of them. The pass follows the primary
 * key, which never changes, so that each row that exists throughout is returned exactly once, despite concurrent writes.
 */
export function readListWindow(query: Query, maximum: number, isLimitOptional: boolean): Window {
  const { cursor } = query
  if (cursor === undefined) return readWindow(query, maximum, isLimitOptional)
  if (query.offset) throw invalidQuery({ cursor: [queryErrors.cursor_with_offset] })
  if (!['', 'pk'].includes(query.ordering ?? '')) throw invalidQuery({ cursor: [queryErrors.cursor_with_ordering] })
  const after = cursor === '' ? BEFORE_FIRST_KEY : readKey(cursor)
  if (after === undefined) throw invalidQuery({ cursor: [queryErrors.invalid_cursor] })
  const { limit = maximum } = readWindow(query, maximum, false)
  return { limit, after }
}

/** The names that a list can be ordered by, each with its expressions. */
export function listOrderings(resource: Resource): Record<string, Expression[]> {
  const own = Object.entries(resource.fields).flatMap(([name, field]) => (field.order ? [[name, field.order] as const] : []))
  return { ...Object.fromEntries(own), ...resource.order }
}

/** Every filter of a list by its parameter's name. */
export function listFilters(resource: Resource): Record<string, Filter> {
  const own = Object.entries(resource.fields).flatMap(([name, field]) => (field.filter ? [[name, field.filter] as const] : []))
  return { ...Object.fromEntries(own), ...resource.filters }
}

const cachePerResource = <T>(compute: (resource: Resource) => T) => {
  const cache = new WeakMap<Resource, T>()
  return (resource: Resource): T => {
    const cached = cache.get(resource)
    if (cached !== undefined) return cached
    const value = compute(resource)
    cache.set(resource, value)
    return value
  }
}
const getOrderings = cachePerResource(listOrderings)
/** Each filter with its name, and the names of the parameters that it reads. */
const getFilters = cachePerResource((resource) =>
  Object.entries(listFilters(resource)).map(([name, filter]) => ({
    name,
    filter,
    parameters: 'names' in filter ? Object.keys(filter.names) : [name],
  })),
)

/** The order of a list, as SQL: unknown names are ignored; the primary key comes last. */
function readOrder(resource: Resource, query: Query): string[] {
  const cached = getOrderings(resource)
  const read = (names: readonly string[]) =>
    names.flatMap((entry) => {
      const name = entry.trim()
      const descending = name.startsWith('-')
      const plain = descending ? name.slice(1) : name
      const expressions =
        (Object.hasOwn(cached, plain) ? cached[plain] : undefined) ?? (['pk', '-pk'].includes(name) ? ['{pk}'] : undefined)
      const direction = descending ? 'desc' : 'asc'
      return expressions?.map((sql) => `${sql} ${direction}`) ?? resource.orderFamily?.(plain, direction) ?? []
    })
  const requestedOrder = [...new Set(read((query.ordering ?? '').split(',').slice(0, 10)))]
  const order = requestedOrder.length ? requestedOrder : read(resource.defaultOrder ?? [])
  return order.some((entry) => entry.startsWith('{pk} '))
    ? order
    : [...order, `{pk} ${order[0]?.endsWith(' desc') ? 'desc' : 'asc'}`]
}

export type ListRequest = {
  query: Query
  conditions: Condition[]
  references: FilterReference[]
  order: string[]
  flags: Flags
  window: Window
}

/** Finds the conditions of those filters that need to query the database. */
export async function findConditions(resource: Resource, query: Query, services: Services): Promise<Condition[]> {
  const extraConditions: Condition[] = []
  for (const { filter, parameters } of getFilters(resource)) {
    if (filter.kind !== 'found') continue
    const { family } = filter
    const isRequested =
      parameters.some((entry) => query[entry]) || (family && Object.keys(query).some((name) => family.test(name)))
    if (!isRequested) continue
    const condition = await filter.find(query, services)
    if (condition) extraConditions.push(condition)
  }
  return extraConditions
}

/**
 * Reads a list's query; `extraConditions` are those of `findConditions`. A value that cannot be parsed is rejected, naming the parameter;
 * unknown parameters are ignored.
 */
export function readListRequest(
  resource: Resource,
  query: Query,
  caller: Caller | undefined,
  window: Window,
  services: Services,
  extraConditions: readonly Condition[] = [],
): ListRequest {
  const { wire } = services.config
  const conditions: Condition[] = [...extraConditions]
  const references: FilterReference[] = []
  const addCondition = (read: Condition | FilterReference | undefined) => {
    if (!read) return
    if ('sql' in read) {
      conditions.push(read)
      return
    }
    conditions.push(read.condition)
    references.push(read)
  }
  for (const { name, filter, parameters } of getFilters(resource)) {
    if (filter.kind === 'custom') {
      if (parameters.some((entry) => query[entry]))
        addCondition(filter.read(query, { setting: (key) => services.settings.get(key), config: services.config }))
      continue
    }
    if (filter.kind === 'found') continue
    const value = query[name]
    if (value !== undefined) addCondition(readFilter(name, filter, value, wire))
  }
  if (!resource.searchMinApiVersion || services.config.wire.searchesAllLists)
    conditions.push(...readSearch(resource, query, wire))
  const accessCondition = resource.rows?.(caller)
  if (accessCondition) conditions.push(accessCondition)
  return {
    query,
    conditions,
    references,
    order: 'after' in window ? ['{pk} asc'] : readOrder(resource, query),
    flags: readListFlags(resource, query, services.config),
    window,
  }
}

/** The fields of the rows: those that flags select, and the version if objects have one of their own. */
function readListFlags(resource: Resource, query: Query, { wire }: Config): Flags {
  const isOn = (value: string) => TRUE_WORDS.has(value.toLowerCase())
  const flags = readFlags(resource, query, isOn, 'list', wire)
  return isOn(query[ETAG] ?? '') && hasDetail(resource) ? new Set([...flags, ETAG]) : flags
}

/**
 * Runs a list: one statement returns the page and the exact count, both from the same snapshot. Objects that filters name are looked up
 * afterwards, since rows usually prove that they exist; a filter by a missing one is rejected, or the list is read a second time without
 * it.
 * @throws Problem 400
 */
export async function runList(
  resource: Resource,
  request: ListRequest,
  caller: Caller | undefined,
  services: Services,
): Promise<Page> {
  const { conditions, references, window, query } = request
  const values: Record<string, unknown> = { ...window, ...requestValues(caller, services.config) }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services, query)
  for (const [conditionIndex, condition] of conditions.entries())
    for (const [index, value] of condition.values.entries()) values[`${conditionIndex}:value${index || ''}`] = value
  const flags = addCommonFlags(request.flags, services.config.wire)
  const statement = getListStatement(resource, { ...request, flags })
  const read = (limits?: RegexLimits) => readPage(statement, values, services.database, limits)
  const regexConditions = conditions.filter(({ regex }) => regex)
  const page = await (regexConditions.length ? readByRegex(regexConditions, services, caller?.pk, read) : read())
  const ignored = references.length ? await checkReferences(references, page.count, services) : []
  if (ignored.length === 0) return page
  const remaining = conditions.filter((condition) => !ignored.includes(condition))
  return runList(resource, { ...request, conditions: remaining, references: [] }, caller, services)
}

/**
 * Rejects a filter by an object that does not exist, or returns its condition, which is then ignored. If there are rows, the object exists,
 * unless the filter is negative.
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
    if (!reference.ignore) throw unknownReference(reference.name, reference.error)
    ignored.push(reference.condition)
  }
  return ignored
}
