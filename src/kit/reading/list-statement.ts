import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Flags } from '../definition/field.ts'
import type { Condition } from '../definition/filter.ts'
import { ETAG, type Resource } from '../definition/resource.ts'
import { type Expression, Parameters, quote, Scope } from '../sql/sql.ts'
import { nameStatement } from '../sql/statement.ts'
import { orderByObject } from './order-by-object.ts'
import { hitPage, hitParts } from './search-statement.ts'
import { rowJson, SharedObjects, selectList } from './select.ts'

/** Where a page begins and how long it is; `undefined`: no end. `after`: the page of a walk, which has the rows with higher keys. */
export type Window = { limit: number | undefined; offset: number; after?: number }

/** What the text of a list statement depends on. */
export type ListShape = { conditions: readonly Condition[]; order: readonly string[]; flags: Flags; window: Window }

/**
 * A list statement. It answers one row of five texts: the stamp of the page, the stamp of the count, the count, the rows as a JSON list,
 * and in a walk the key of the last of a full page. A stamp is equal to an earlier one only if nothing changed in between that the page or the count depends on. What is known
 * already under the same stamp (`knownPage`, `knownCount`) is null; a known page has its count with it.
 */
export type ListStatement = {
  /** Tells it from other statements, together with whose database it is. */
  id: number
  text: string
  /** The parameters, in their order. */
  names: readonly string[]
  /** Under which it is kept prepared. */
  name: string | undefined
  /** The rows speak of this very moment: there is no earlier page that could still hold. */
  isOfTheMoment: boolean
}

const statements = new LRUCache<string, ListStatement>({ max: 2_000 })
const shapes = new WeakMap<Resource, number>()
let shapeCount = 0
let statementCount = 0

const USUAL_LIMITS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000]

/**
 * How many rows are read for a page, which ends with them, what cuts the page itself, whether rows come before it, and whether it is one
 * of a walk.
 */
type Bounds = { limit: string; end: string; cut: string; isLater: boolean; isWalk: boolean }

/**
 * Usual limits stand in the text of a list statement, and any other as the next of these, which is then cut: PostgreSQL takes an unknown
 * limit for a tenth of the table, and would read whole tables to go with so many rows.
 */
function boundsOf({ limit, offset, after }: Window): Bounds {
  const isWalk = after !== undefined
  if (limit === undefined) return { limit: '', end: '', cut: '', isLater: false, isWalk }
  const usual = USUAL_LIMITS.find((usual) => usual >= limit)
  const most = `limit ${usual ?? '@limit::integer'}`
  const end = `${most}${offset ? ' offset @offset::integer' : ''}`
  return {
    limit: most,
    end,
    cut: usual === undefined || usual === limit ? '' : 'limit @limit::integer',
    isLater: offset > 0,
    isWalk,
  }
}

/** The statement of a list: its text depends on which conditions, order and flags there are, and is made once for each such shape. */
export function listStatement(resource: Resource, shape: ListShape): ListStatement {
  const number = shapes.get(resource) ?? ++shapeCount
  shapes.set(resource, number)
  const bounds = boundsOf(shape.window)
  const key = [
    number,
    bounds.end,
    bounds.cut,
    bounds.isWalk ? 'walk' : 'page',
    ...shape.conditions.map((entry) => entry.sql),
    '|',
    ...shape.order,
    '|',
    ...shape.flags,
  ].join('\u0001')
  const known = statements.get(key)
  if (known) {
    known.name ??= nameStatement()
    return known
  }
  const made = compile(resource, shape, bounds)
  statements.set(key, made)
  return made
}

function compile(resource: Resource, shape: ListShape, bounds: Bounds): ListStatement {
  const parameters = new Parameters()
  const table = quote(getTableName(resource.table))
  const hit = new Scope(resource.table, 't', parameters)
  const { tallied = {} } = resource
  const conditions = shape.conditions.map(({ sql }) => sql)
  // each has its values under its place among all of them
  const fill = (sql: Expression, scope: Scope, at: number) =>
    scope.expression(sql, (name) => (name.startsWith('value') ? `${at}:${name}` : name))
  const filled = shape.conditions.map(({ sql, search }, at) => ({ sql: `(${fill(sql, hit, at)})`, search, at }))
  const where = filled.map(({ sql }) => sql).join(' and ')
  const found = `from ${table} t ${hit.joins}${where ? ` where ${where}` : ''}`
  // How much a search finds cannot be known in advance: what it finds is read once, for the page and for the count.
  const terms = filled.flatMap(({ search, at }) =>
    search ? [{ search, fill: (sql: Expression, scope: Scope) => fill(sql, scope, at) }] : [],
  )
  const isSearch = / ilike | ~\* /.test(where)
  const others = filled.flatMap(({ sql, search }) => (search ? [] : [sql])).join(' and ')
  const order = new Scope(resource.table, 't', parameters)
  const by = shape.order.map((entry) => order.expression(entry))
  const numbered = (text: string) => text.replaceAll(/@(limit|offset)/g, (_, name: string) => parameters.number(name))
  const end = `order by ${by.join(', ')} ${numbered(bounds.end)}`
  const cut = numbered(bounds.cut)
  // The rows before a later page are passed over in an index, by their keys alone; only those of the page are fetched.
  // of all rows it is known how many they are, and of those that fulfil some conditions
  const kept = conditions.length === 1 ? tallied[conditions[0] as string]?.rows : undefined
  const total = where ? kept : `(select ${totalOf(getTableName(resource.table))} from change_counter)`
  const byObject =
    bounds.isWalk || !bounds.limit || !conditions.every((sql) => tallied[sql])
      ? undefined
      : orderByObject(
          resource,
          { conditions, order: shape.order, limit: numbered(bounds.limit), isLater: bounds.isLater, total },
          parameters,
        )
  const isByKey = bounds.isLater || isSearch || byObject !== undefined
  const onward = bounds.isWalk ? [`t.pk > ${parameters.number('after')}::integer`] : []
  // the version is no column that `*` has
  const isVersioned = shape.flags.has(ETAG)
  const whole = (row: string) => (isVersioned ? `${row}.*, ${row}.xmin as "version#"` : `${row}.*`)
  const narrowed = (...conditions: string[]) => (conditions.length ? ` where ${conditions.join(' and ')}` : '')
  const paged = isSearch
    ? hitPage(table, { by, joins: order.joins, end: numbered(bounds.end) }, onward)
    : byObject
      ? byObject.keys
      : `select ${isByKey ? 't.pk' : whole('t')} from ${table} t ${joinsOf(hit, order)}${narrowed(...(where ? [where] : []), ...onward)} ${end}`
  const page = new Scope(resource.table, 't', parameters)
  const shared = new SharedObjects('page')
  const list = selectList(resource.fields, page, shape.flags, shared)
  const joins = `${page.joins} ${shared.joins}`.trim()
  // a join could lose the order
  const isNumbered = isByKey || joins !== ''
  const parts = [
    ...(isSearch
      ? hitParts(table, terms, { where: others, joins: hit.joins }, () => new Scope(resource.table, 't', parameters))
      : []),
    ...(byObject?.parts ?? []),
    `page as materialized (${
      isByKey
        ? `select ${whole('t')}, found."n#" from (select found.pk, row_number() over () as "n#" from (${paged}) found ${cut}) found join ${table} t on t.pk = found.pk`
        : isNumbered
          ? `select t.*, row_number() over () as "n#" from (${paged}) t ${cut}`
          : cut
            ? `select t.* from (${paged}) t ${cut}`
            : paged
    })`,
    ...shared.parts,
  ]
  const version = isVersioned ? `, '"' || t."version#"::text || '"' as ${ETAG}` : ''
  const rows = `select ${list}${version} from page t ${joins} ${isNumbered ? 'order by t."n#"' : ''}`
  const counted = kept ?? `(select count(*) ${isSearch ? 'from hit' : found})`
  // what a search finds is at hand, and of a walk a page says nothing of those before
  const count = bounds.isWalk || kept || isSearch ? counted : countBeside(counted, bounds, numbered)
  const everything = `${found} ${kept ?? ''} ${parts.join(' ')} ${rows}`
  const text = [
    `with ${parts.join(', ')}`,
    `select k.page, k.count,`,
    `case when k.page = ${parameters.number('knownPage')} or k.count = ${parameters.number('knownCount')} then null else ${where ? count : `coalesce(k.total, ${counted})`} end,`,
    `case when k.page = ${parameters.number('knownPage')} then null else (select coalesce(json_agg(${rowJson('r', resource.fields, page, shape.flags, 'r')}), '[]')::text from (${rows}) r) end,`,
    bounds.isWalk
      ? `case when k.page = ${parameters.number('knownPage')} then null else (select case when count(*) = ${parameters.number('limit')}::integer then max(pk)::text end from page) end`
      : 'null',
    `from (select ${stampOf(everything)} as page, ${stampOf(`${found} ${kept ?? ''}`)} as count${where ? '' : `, ${totalOf(getTableName(resource.table))} as total`} from change_counter`,
    `where table_name in (${tablesIn(everything)})) k`,
  ].join(' ')
  return {
    id: ++statementCount,
    text,
    names: parameters.names,
    name: undefined,
    isOfTheMoment: /\bnow\(\)/.test(everything),
  }
}

/** How many rows there are: a page that is not full tells it by its own, so that nothing has to be counted. */
function countBeside(counted: Expression, { limit, cut, isLater }: Bounds, numbered: (text: string) => string): Expression {
  const own = '(select count(*) from page)'
  if (!limit) return own
  const most = numbered(cut || limit).replace('limit ', '')
  // behind the last row no page tells how many come before it
  const isLast = `${own} < ${most}${isLater ? ` and ${own} > 0` : ''}`
  return `case when ${isLast} then ${isLater ? numbered('@offset::integer + ') : ''}${own} else ${counted} end`
}

/**
 * Which database it is. One that was put back to an earlier state could count up to the same sum again: it has its counters in
 * another table (restored from a dump), is another database (made anew from a template), or its server was started anew (a standby
 * that took over).
 */
const PLACE = `max(tableoid), (select oid from pg_database where datname = current_database()),
  extract(epoch from pg_postmaster_start_time())`

/**
 * What is the same only as long as nothing changed in the tables that the SQL reads: the sum of their change counters, and the day
 * where the SQL speaks of it.
 */
function stampOf(sql: string): string {
  const day = /\bcurrent_date\b/.test(sql) ? ', current_date' : ''
  return `concat_ws(' ', sum(value) filter (where table_name in (${tablesIn(sql)})), ${PLACE}${day})`
}

/** How many rows a table has, by its change counters; null after TRUNCATE, which leaves a mark in slot -1, until they are counted anew. */
const totalOf = (table: string): string =>
  `case when count(*) filter (where table_name = '${table}' and slot = -1) = 0 then coalesce(sum(rows) filter (where table_name = '${table}'), 0) end`

/**
 * The names behind `from` and `join` in SQL, as a list of texts: those of every table that it reads, and some that are none. A test
 * compares them with PostgreSQL's own plans (lists.test.ts).
 */
function tablesIn(sql: string): string {
  const names = [...sql.matchAll(/\b(?:from|join)\s+"?([a-z_]+)"?/g)].map((match) => match[1] as string)
  return [...new Set(names)].map((name) => `'${name}'`).join(', ')
}

/** The joins of both scopes, which name the same ones alike. */
const joinsOf = (...scopes: Scope[]): string => [...new Set(scopes.flatMap((scope) => scope.joinList))].join(' ')
