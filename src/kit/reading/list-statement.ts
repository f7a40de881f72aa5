import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Flags } from '../definition/field.ts'
import type { Condition } from '../definition/filter.ts'
import { ETAG, type Resource } from '../definition/resource.ts'
import { type Expression, getStoredTable, Parameters, quote, Scope } from '../sql/sql.ts'
import { createStatementName } from '../sql/statement.ts'
import { buildHitPage, buildHitParts } from './search-statement.ts'
import { rowJson, SharedObjects, selectList } from './select.ts'
import { MIN_SKIP_OFFSET, skipObjects } from './skip-objects.ts'
import { rowCountSql, sqlStringList, versionSql } from './version.ts'

/** Rows after an offset; without a limit all of them. */
export type PageWindow = { limit: number | undefined; offset: number }

/** The rows of a list to read: a page, or, when reading by cursor, the next rows with keys above `after`. */
export type Window = PageWindow | { limit: number; after: number }

/** Everything that determines the text of a list statement. */
export type ListShape = { conditions: readonly Condition[]; order: readonly string[]; flags: Flags; window: Window }

/**
 * A list statement. It returns one row of five strings: the version of the page, the version of the count, the count, the rows as a JSON
 * list, and, when reading by cursor, the key of the last row of a full page. A version equals an earlier one only if no table has changed
 * that the page or the count depends on. Parts cached under the same version (`knownPage`, `knownCount`) are null; a cached page includes
 * its count.
 */
export type ListStatement = {
  /** Identifies the statement, together with its database. */
  id: number
  text: string
  /** The parameters, in order. */
  names: readonly string[]
  /** The name of the prepared statement. */
  name: string | undefined
  /** Whether the rows depend on the current time: no earlier page can still be valid. */
  dependsOnNow: boolean
}

/** The kinds of list statements, each with its own builder. All other values of the window are parameters. */
type Kind =
  | { kind: 'page'; limit: Limit; start: 'first' | 'offset' | 'deep' }
  | { kind: 'keyset'; limit: Limit }
  | { kind: 'search'; limit: Limit; start: 'first' | 'offset' | 'after' }

/** SQL that limits the rows to read, and SQL that limits them further to the page; empty for no limit. */
type Limit = { end: Expression; cut: Expression }

const COMMON_LIMITS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000]
const EXACT_LIMIT = 'limit {@limit}::integer'
const OFFSET = 'offset {@offset}::integer'

/**
 * Common limits are literals in the statement, and any other limit is rounded up to the next of these and then cut. For a limit that is a
 * parameter, PostgreSQL would plan for a tenth of the table, and read whole tables.
 */
function chooseLimit(limit: number | undefined): Limit {
  if (limit === undefined) return { end: '', cut: '' }
  const commonLimit = COMMON_LIMITS.find((commonLimit) => commonLimit >= limit)
  if (commonLimit === undefined) return { end: EXACT_LIMIT, cut: '' }
  return { end: `limit ${commonLimit}`, cut: commonLimit === limit ? '' : EXACT_LIMIT }
}

function chooseKind({ conditions, window }: ListShape): Kind {
  const limit = chooseLimit(window.limit)
  const isSearch = conditions.some(({ search, regex }) => search || regex)
  if ('after' in window) return isSearch ? { kind: 'search', limit, start: 'after' } : { kind: 'keyset', limit }
  const start = window.offset > 0 ? 'offset' : 'first'
  if (isSearch) return { kind: 'search', limit, start }
  return { kind: 'page', limit, start: window.limit !== undefined && window.offset >= MIN_SKIP_OFFSET ? 'deep' : start }
}

const statements = new LRUCache<string, ListStatement>({ max: 2_000 })
const resourceNumbers = new WeakMap<Resource, number>()
let resourceCount = 0
let statementCount = 0

/** The statement of a list: its text depends on its conditions, order and flags, and is built once for each combination. */
export function getListStatement(resource: Resource, shape: ListShape): ListStatement {
  const number = resourceNumbers.get(resource) ?? ++resourceCount
  resourceNumbers.set(resource, number)
  const kind = chooseKind(shape)
  const conditions = shape.conditions.map(({ sql }) => sql)
  const key = JSON.stringify([number, kind, conditions, shape.order, [...shape.flags]])
  const cached = statements.get(key)
  if (cached) {
    cached.name ??= createStatementName()
    return cached
  }
  const compiledStatement = compile(resource, shape, kind)
  statements.set(key, compiledStatement)
  return compiledStatement
}

/** A list as SQL of the alias `t`, from which builders make statements. */
class List {
  readonly resource: Resource
  readonly shape: ListShape
  readonly parameters = new Parameters()
  readonly table: string
  /** The tables that determine which rows exist, and their number. */
  readonly countedTables = new Set<string>()
  /** Further tables that the rows of a page are read from. */
  readonly outputTables = new Set<string>()
  /** All conditions, empty for none; and the same without the words of a search. */
  readonly where: string
  readonly whereWithoutSearch: string
  /** The terms of the order, with their directions. */
  readonly orderTerms: string[]
  /** The joins of the conditions, those of the order, and both. */
  readonly joins: { where: string; order: string; both: string }

  constructor(resource: Resource, shape: ListShape) {
    this.resource = resource
    this.shape = shape
    this.table = quote(getTableName(resource.table))
    const row = this.scope(this.countedTables)
    const sqlConditions = shape.conditions.map(({ sql, search }, index) => ({ sql: `(${this.fill(sql, row, index)})`, search }))
    this.where = sqlConditions.map(({ sql }) => sql).join(' and ')
    this.whereWithoutSearch = sqlConditions.flatMap(({ sql, search }) => (search ? [] : [sql])).join(' and ')
    const orderScope = this.scope()
    this.orderTerms = shape.order.map((entry) => orderScope.expression(entry))
    this.joins = {
      where: row.joins,
      order: orderScope.joins,
      // both lists use the same names for the same joins
      both: [...new Set([...row.joinList, ...orderScope.joinList])].join(' '),
    }
  }

  /** Creates a scope of its rows, which adds the tables that it reads to `tables`. */
  scope(tables = this.outputTables): Scope {
    return new Scope(this.resource.table, 't', this.parameters, tables)
  }

  /** The SQL of a condition's expression. The index of the condition is part of the names of its values. */
  fill(sql: Expression, scope: Scope, index: number): string {
    return scope.expression(sql, (name) => (name.startsWith('value') ? `${index}:${name}` : name))
  }

  /** The SQL of an expression with parameters only. */
  sql(text: Expression): string {
    return text.replaceAll(/\{@(\w+)\}/g, (_, name: string) => this.parameters.number(name))
  }

  /** A `where` clause with all conditions of the list and further ones. */
  buildWhere(...further: string[]): string {
    const all = [...(this.where ? [this.where] : []), ...further]
    return all.length ? ` where ${all.join(' and ')}` : ''
  }

  /** All its rows, as the SQL after `select`. */
  get fromAndWhere(): string {
    return `from ${this.table} t ${this.joins.where}${this.buildWhere()}`
  }

  /** The number of its rows if it is maintained by triggers, as it always is for all rows of a table. */
  get storedCount(): string | undefined {
    const { conditions } = this.shape
    const storedCount = conditions.length === 1 ? this.resource.storedCounts?.[conditions[0]?.sql as string]?.rows : undefined
    return storedCount && this.scope(this.countedTables).expression(storedCount)
  }

  /** The number of its rows as its only condition counts them, if it does. */
  get ownCount(): string | undefined {
    const [condition, ...others] = this.shape.conditions
    if (!condition?.count || others.length > 0 || this.isView) return undefined
    return `(${this.fill(condition.count, this.scope(this.countedTables), 0)})`
  }

  /** Whether its rows are some of those of a table, so that their number is not maintained. */
  get isView(): boolean {
    return getStoredTable(this.resource.table) !== this.resource.table
  }

  /** The number of its rows, counted if it is not maintained. */
  get countSql(): string {
    if (!this.where)
      return this.isView ? `(select count(*) ${this.fromAndWhere})` : `coalesce(k.total, (select count(*) ${this.fromAndWhere}))`
    return this.storedCount ?? this.ownCount ?? `(select count(*) ${this.fromAndWhere})`
  }
}

/** SQL that finds the rows of a page. */
type PageQuery = {
  /** Parts of the `with` clause before the page. */
  parts: string[]
  /** A statement of the rows in order: complete (`WHOLE`), or their keys (`pk`). */
  page: { rows: string } | { keys: string }
  /** The number of rows in the list. */
  count: string
  /** The position after the page, when reading by cursor; null in SQL at the end. */
  cursor: string
}

/** A row with its version, which `*` does not include. */
const FULL_ROW = 't.*, t.xmin as "version#"'
const OWN_COUNT = '(select count(*) from page)'
const AFTER_CURSOR = 't.pk > {@after}::integer'
const NEXT_CURSOR = `(select case when count(*) = {@limit}::integer then max(pk)::text end from page)`

/** A page in the order of the list. Rows before the offset are skipped by their keys alone: only those of the page are fetched. */
function buildOffsetPage(list: List, { limit, start }: Kind & { kind: 'page' }): PageQuery {
  const end = list.sql(limit.end)
  const count = list.where && !list.storedCount ? countByPage(list, limit, start) : list.countSql
  const skipped = start === 'deep' ? skipObjects(list.resource, list.shape, end, list.scope()) : undefined
  if (skipped) return { parts: skipped.parts, page: { keys: skipped.keys }, count, cursor: 'null' }
  const rows = `from ${list.table} t ${list.joins.both}${list.buildWhere()} order by ${list.orderTerms.join(', ')} ${end}`
  const page = start === 'first' ? { rows: `select ${FULL_ROW} ${rows}` } : { keys: `select t.pk ${rows} ${list.sql(OFFSET)}` }
  return { parts: [], page, count, cursor: 'null' }
}

/** The next rows in the order of the primary key. A page does not depend on the number of rows before it. */
function buildKeysetPage(list: List, { limit }: Kind & { kind: 'keyset' }): PageQuery {
  const where = list.buildWhere(list.sql(AFTER_CURSOR))
  const rows = `select ${FULL_ROW} from ${list.table} t ${list.joins.both}${where} order by t.pk ${list.sql(limit.end)}`
  return { parts: [], page: { rows }, count: list.countSql, cursor: list.sql(NEXT_CURSOR) }
}

/** A page of the rows that words or regular expressions match. Their number cannot be estimated, so they are read once, for page and count. */
function buildSearchPage(list: List, { limit, start }: Kind & { kind: 'search' }): PageQuery {
  const terms = list.shape.conditions.flatMap(({ search }, index) =>
    search ? [{ search, fill: (sql: Expression, scope: Scope) => list.fill(sql, scope, index) }] : [],
  )
  const end = list.sql(start === 'offset' ? `${limit.end} ${OFFSET}` : limit.end)
  const order = { by: list.orderTerms, joins: list.joins.order, end }
  return {
    parts: buildHitParts(list.table, terms, { where: list.whereWithoutSearch, joins: list.joins.where }, () => list.scope()),
    page: { keys: buildHitPage(list.table, order, start === 'after' ? [list.sql(AFTER_CURSOR)] : []) },
    count: '(select count(*) from hit)',
    cursor: start === 'after' ? list.sql(NEXT_CURSOR) : 'null',
  }
}

/** The number of rows, which follows from a page that is not full, so that nothing has to be counted. */
function countByPage(list: List, { end, cut }: Limit, start: 'first' | 'offset' | 'deep'): string {
  if (!end) return OWN_COUNT
  const isLast = `${OWN_COUNT} < ${list.sql(cut || end).replace('limit ', '')}`
  if (start === 'first') return `case when ${isLast} then ${OWN_COUNT} else ${list.countSql} end`
  // a page beyond the last row does not show how many rows come before it
  return `case when ${isLast} and ${OWN_COUNT} > 0 then ${list.sql('{@offset}')}::integer + ${OWN_COUNT} else ${list.countSql} end`
}

function buildPageQuery(list: List, kind: Kind): PageQuery {
  if (kind.kind === 'page') return buildOffsetPage(list, kind)
  return kind.kind === 'keyset' ? buildKeysetPage(list, kind) : buildSearchPage(list, kind)
}

function compile(resource: Resource, shape: ListShape, kind: Kind): ListStatement {
  const list = new List(resource, shape)
  const { parts, page, count, cursor } = buildPageQuery(list, kind)
  const row = list.scope()
  const shared = new SharedObjects('page', shape.flags)
  const columns = selectList(resource.fields, row, shape.flags, shared)
  const version = shape.flags.has(ETAG) ? `, '"' || t."version#"::text || '"' as ${ETAG}` : ''
  const cut = list.sql(kind.limit.cut)
  const numbered =
    'rows' in page
      ? `select t.*, row_number() over () as "n#" from (${page.rows}) t ${cut}`
      : `select ${FULL_ROW}, found."n#" from (select found.pk, row_number() over () as "n#" from (${page.keys}) found ${cut}) found
         join ${list.table} t on t.pk = found.pk`
  const withClause = [...parts, `page as materialized (${numbered})`, ...shared.parts].join(', ')
  const rows = `select ${columns}${version} from page t ${row.joins} ${shared.joins} order by t."n#"`
  const json = rowJson('r', resource.fields, row, shape.flags, 'r')
  const tables = new Set([...list.countedTables, ...list.outputTables])
  const { fromAndWhere: all, storedCount = '' } = list
  const versions = `${versionSql(tables, `${all} ${withClause} ${rows}`)} as page, ${versionSql(list.countedTables, `${all} ${storedCount}`)} as count`
  const total = list.where || list.isView ? '' : `, ${rowCountSql(getTableName(resource.table))} as total`
  const isCached = `k.page = ${list.sql('{@knownPage}')}`
  const text = `with ${withClause} select k.page, k.count,
    case when ${isCached} or k.count = ${list.sql('{@knownCount}')} then null else ${count} end,
    case when ${isCached} then null else (select coalesce(json_agg(${json}), '[]')::text from (${rows}) r) end,
    case when ${isCached} then null else ${cursor} end
    from (select ${versions}${total} from change_counter where table_name in (${sqlStringList(tables)})) k`
  return {
    id: ++statementCount,
    text,
    names: list.parameters.names,
    name: undefined,
    dependsOnNow: /\bnow\(\)/.test(`${all} ${withClause} ${rows}`),
  }
}
