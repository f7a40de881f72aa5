import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Caller } from './caller.ts'
import { notFound } from './problem.ts'
import type { Resource } from './resource.ts'
import { type Flags, selectList } from './select.ts'
import type { Services } from './services.ts'
import { Parameters, parameterValues, quote, Scope } from './sql.ts'
import { nameStatement } from './statement.ts'
import type { Statement } from './tx.ts'

/** One object as its JSON text, and the version that its ETag shows. */
export type Detail = { body: string; version: string }

type Runner =
  | { read?: never; run: (statement: Statement) => Promise<Detail[]> }
  | { read: (statement: Statement) => Promise<Detail[]>; run?: never }

const compiled = new WeakMap<Resource, LRUCache<string, { text: string; names: readonly string[]; name: string | undefined }>>()

function compile(resource: Resource, flags: Flags, condition: string | undefined) {
  const own = compiled.get(resource) ?? new LRUCache({ max: 200 })
  compiled.set(resource, own)
  const key = [...flags, '|', condition ?? ''].join(' ')
  const known = own.get(key)
  if (known) {
    known.name ??= nameStatement()
    return known
  }
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const rows = selectList(resource.fields, scope, flags)
  const where = condition ? ` and (${scope.expression(condition)})` : ''
  // xmin is the transaction that wrote the row last: a version that every change moves, at no cost
  const text = `select (select row_to_json(r)::text from (select ${rows}) r) as body, t.xmin::text as version from ${quote(getTableName(resource.table))} t ${scope.joins} where t."pk" = ${parameters.number('pk')}${where}`
  const made = { text, names: parameters.names, name: undefined as string | undefined }
  own.set(key, made)
  return made
}

/**
 * Reads one object, as GET shows it. Answers to writes come from the same statement, run in the write's transaction.
 * Throws 404 for an object that is not there, or that the caller may not reach.
 */
export async function readDetail(
  resource: Resource,
  pk: number,
  flags: Flags,
  caller: Caller | undefined,
  services: Services,
  through: Runner,
): Promise<Detail> {
  const own = resource.rows?.(caller)
  const statement = compile(resource, flags, own?.sql)
  const values: Record<string, unknown> = { pk, caller: caller?.pk ?? 0 }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services)
  const ready = { text: statement.text, name: statement.name, values: parameterValues(statement.names, values, own) }
  const [row] = await (through.run ? through.run(ready) : through.read(ready))
  if (!row) throw notFound()
  return row
}
