import { getTableName } from 'drizzle-orm'
import type { Flags } from '../definition/field.ts'
import type { Resource } from '../definition/resource.ts'
import { callerValues, type Expression, Parameters, parameterValues, quote, Scope } from '../sql/sql.ts'
import type { Reader } from './detail.ts'
import { selectList } from './select.ts'

/** One of the objects read for many owners, as its detail shows it: its owner, and its JSON text. */
export type OwnedObject = { owner: number; body: string }

/** Every flag of a resource: with these an object is shown completely. */
export const allFlags = ({ fields }: Resource): Flags =>
  new Set(Object.values(fields).flatMap(({ flag }) => (flag ? [flag.name] : [])))

/**
 * Reads the objects of many owners in one statement, with all fields, ordered by primary key; those that the caller may not access are left
 * out.
 * @param owners keys, of the objects themselves or of others that they belong to
 * @param belongs whether an object belongs to an owner, as an expression in which `owner.pk` is the owner's key
 * @param limit maximum number of objects
 */
export async function readObjects(
  resource: Resource,
  { owners, belongs, limit }: { owners: readonly number[]; belongs: Expression; limit: number },
  { caller, services, executor: through }: Reader,
): Promise<OwnedObject[]> {
  const own = resource.rows?.(caller)
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const list = selectList(resource.fields, scope, allFlags(resource))
  const conditions = [belongs, ...(own ? [own.sql] : [])].map((condition) => `(${scope.expression(condition)})`)
  const text = `select owner.pk::text, row_to_json(r)::text from unnest(${parameters.number('owners')}::integer[]) owner (pk)
    cross join ${quote(getTableName(resource.table))} t ${scope.joins} cross join lateral (select ${list}) r
    where ${conditions.join(' and ')} order by t."pk" limit ${parameters.number('limit')}::integer`
  const values: Record<string, unknown> = { ...callerValues(caller), owners, limit }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services, {})
  const rows = await through.texts({ text, values: parameterValues(parameters.names, values, own) })
  return rows.map(([owner, body]) => ({ owner: Number(owner), body: body as string }))
}

/**
 * Reads objects in one statement, as GET shows each with these flags. Each is looked up by its key, whatever their number: a statement
 * ordered by key would be planned as a scan of the whole table until all are found.
 * @returns their JSON texts in the order of the keys; without those that the caller may not access
 */
export async function readByKeys(
  resource: Resource,
  pks: readonly number[],
  flags: Flags,
  { caller, services, executor: through }: Reader,
): Promise<string[]> {
  const own = resource.rows?.(caller)
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const list = selectList(resource.fields, scope, flags)
  const where = own ? ` where ${scope.expression(own.sql)}` : ''
  const text = `select row_to_json(r)::text from unnest(${parameters.number('pks')}::integer[]) with ordinality wanted (pk, "n#")
    cross join lateral (select * from ${quote(getTableName(resource.table))} x where x."pk" = wanted.pk limit 1) t
    ${scope.joins} cross join lateral (select ${list}) r${where} order by wanted."n#"`
  const values: Record<string, unknown> = { ...callerValues(caller), pks }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services, {})
  const rows = await through.texts({ text, values: parameterValues(parameters.names, values, own) })
  return rows.map(([body]) => body as string)
}
