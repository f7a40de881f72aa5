import { getTableName } from 'drizzle-orm'
import type { Flags } from '../definition/field.ts'
import type { Resource } from '../definition/resource.ts'
import { callerValues, type Expression, Parameters, parameterValues, quote, Scope } from '../sql/sql.ts'
import type { Reader } from './detail.ts'
import { selectList } from './select.ts'

/** An object of a list of many, as its detail shows it: whose it is, and its JSON text. */
export type OwnedObject = { owner: number; body: string }

/** Every flag of a resource: with these an object is shown whole. */
export const allFlags = ({ fields }: Resource): Flags =>
  new Set(Object.values(fields).flatMap(({ flag }) => (flag ? [flag.name] : [])))

/**
 * Reads the objects of many owners in one statement, whole, ordered by primary key; those that the caller may not reach are left out.
 * @param owners keys, of the objects themselves or of others that they belong to
 * @param belongs when an object is one of an owner's, as an expression in which `owner.pk` is the owner's key
 * @param limit how many are read at most
 */
export async function readObjects(
  resource: Resource,
  { owners, belongs, limit }: { owners: readonly number[]; belongs: Expression; limit: number },
  { caller, services, through }: Reader,
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
 * Reads objects in one statement, as GET shows each with these flags. Each is looked up by its key, however many there are: a statement
 * that is ordered by their keys would be planned as one that goes through the whole table until it has found them.
 * @returns their JSON texts in the order of the keys; without those that the caller may not reach
 */
export async function readByKeys(
  resource: Resource,
  pks: readonly number[],
  flags: Flags,
  { caller, services, through }: Reader,
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
