import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { Json } from '../definition/action.ts'
import type { Flags } from '../definition/field.ts'
import type { Resource } from '../definition/resource.ts'
import type { Caller } from '../request/caller.ts'
import { notFound } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import { type Expression, Parameters, parameterValues, quote, requestValues, Scope } from '../sql/sql.ts'
import { createStatementName, getStatementName } from '../sql/statement.ts'
import type { Tx } from '../sql/tx.ts'
import { addCommonFlags, rowJson, selectList } from './select.ts'

/** One object as its JSON text, and the version that its ETag shows. */
export type Detail = { body: string; version: string }

/** An object as the response of an action, with its version as the ETag. */
export const toDetailJson = ({ body, version }: Detail): Json => new Json(body, { etag: `"${version}"` })

/** A query that finds an object: SQL that returns one row with its key as `pk`, and the values of its `{@name}` parameters. */
export type DetailQuery = { sql: Expression; values: Readonly<Record<string, unknown>> }

type CompiledStatement = { text: string; names: readonly string[]; name: string | undefined }

const compiled = new WeakMap<Resource, LRUCache<string, CompiledStatement>>()

/**
 * Builds the statement that reads an object; with `inserted`, the columns of a new row, one that inserts the row and reads it. A statement
 * does not see the rows that it inserts, so it reads the columns that the insert returns.
 */
function compile(
  resource: Resource,
  flags: Flags,
  condition: string | undefined,
  inserted?: readonly string[],
): CompiledStatement {
  const statements = compiled.get(resource) ?? new LRUCache<string, CompiledStatement>({ max: 200 })
  compiled.set(resource, statements)
  const key = [...flags, '|', condition ?? '', '|', ...(inserted ?? [])].join(' ')
  const cached = statements.get(key)
  if (cached) {
    cached.name ??= createStatementName()
    return cached
  }
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const rows = selectList(resource.fields, scope, flags)
  const json = rowJson('r', resource.fields, scope, flags)
  const where = condition ? ` and (${scope.expression(condition)})` : ''
  const table = quote(getTableName(resource.table))
  const source = inserted
    ? `with inserted as (${buildInsert(table, inserted, (index) => parameters.number(`column ${index}`))} returning *, xmin as "version#")
       select ${json}::text, t."version#"::text, t."pk" from inserted t`
    : // xmin is the transaction that last wrote the row: a version that every change updates, at no cost
      `select ${json}::text, t.xmin::text from ${table} t`
  const keyCondition = inserted ? 'true' : `t."pk" = ${parameters.number('pk')}`
  const text = `${source} ${scope.joins} cross join lateral (select ${rows}) r where ${keyCondition}${where}`
  const compiledStatement = { text, names: parameters.names, name: undefined }
  statements.set(key, compiledStatement)
  return compiledStatement
}

/** Builds the SQL of an insert of one row. `placeholder` returns the parameter of a column by its position. */
export function buildInsert(table: string, columns: readonly string[], placeholder: (index: number) => string): string {
  if (columns.length === 0) return `insert into ${table} default values`
  return `insert into ${table} (${columns.map(quote).join(', ')}) values (${columns.map((_, index) => placeholder(index)).join(', ')})`
}

/** The caller for whom an object is read, and the handle that reads it. */
export type Reader = { caller: Caller | undefined; services: Services; executor: Pick<Tx, 'queryAsText'> }

async function readOne(resource: Resource, flags: Flags, reader: Reader, values: Record<string, unknown>, inserted?: string[]) {
  const { caller, services, executor } = reader
  const accessCondition = resource.rows?.(caller)
  const statement = compile(resource, addCommonFlags(flags, services.config.wire), accessCondition?.sql, inserted)
  Object.assign(values, requestValues(caller, services.config))
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services, {})
  const [row] = await executor.queryAsText({
    text: statement.text,
    name: statement.name,
    values: parameterValues(statement.names, values, accessCondition),
  })
  if (!row) throw notFound()
  const [body, version, pk] = row as [string, string, string?]
  return { body, version, pk: Number(pk) }
}

const detailQueryStatements = new WeakMap<Resource, LRUCache<string, { text: string; names: readonly string[] }>>()

/**
 * Finds an object and reads it, as GET shows it, in one statement.
 * @returns the row of the query, without the key, and the object: null if the key is null, or if the caller may not access the object.
 *   Undefined if the query returns no row
 */
export async function findDetail(
  resource: Resource,
  { sql, values }: DetailQuery,
  { caller, services, executor }: Reader,
): Promise<{ row: Record<string, unknown>; body: string | null } | undefined> {
  const accessCondition = resource.rows?.(caller)
  const cached = detailQueryStatements.get(resource) ?? new LRUCache({ max: 20 })
  detailQueryStatements.set(resource, cached)
  const flags = addCommonFlags(new Set(), services.config.wire)
  const key = [...flags, accessCondition?.sql ?? '', sql].join(' | ')
  const statement = cached.get(key) ?? compileDetailQuery(resource, flags, sql, accessCondition?.sql)
  cached.set(key, statement)
  const allValues: Record<string, unknown> = { ...requestValues(caller, services.config), ...values }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) allValues[name] = read(services, {})
  const { text, names } = statement
  const [row] = await executor.queryAsText({
    text,
    name: getStatementName(text),
    values: parameterValues(names, allValues, accessCondition),
  })
  return row && { row: JSON.parse(row[0] as string), body: row[1] ?? null }
}

function compileDetailQuery(resource: Resource, flags: Flags, sql: Expression, condition: string | undefined) {
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const rows = selectList(resource.fields, scope, flags)
  const where = condition ? ` and (${scope.expression(condition)})` : ''
  const text = `select (to_jsonb(f) - 'pk')::text, o.body from (${scope.expression(sql)}) f
    left join lateral (select ${rowJson('r', resource.fields, scope, flags)}::text as body from ${quote(getTableName(resource.table))} t
      ${scope.joins} cross join lateral (select ${rows}) r where t."pk" = f.pk${where}) o on true`
  return { text, names: parameters.names }
}

/**
 * Reads one object, as GET shows it. Responses to writes use the same statement, run in the write's transaction. Throws 404 for an object
 * that does not exist, or that the caller may not access.
 */
export async function readDetail(resource: Resource, pk: number, flags: Flags, reader: Reader): Promise<Detail> {
  return readOne(resource, flags, reader, { pk })
}

/** Stores a new object and reads it, as GET shows it, in one statement. `columns` holds the values to store, by column. */
export async function insertDetail(
  resource: Resource,
  columns: readonly (readonly [name: string, value: unknown])[],
  flags: Flags,
  reader: Reader,
): Promise<Detail & { pk: number }> {
  const values = Object.fromEntries(columns.map(([, value], index) => [`column ${index}`, value]))
  const names = columns.map(([name]) => name)
  return readOne(resource, flags, reader, values, names)
}
