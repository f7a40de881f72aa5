import { getTableName } from 'drizzle-orm'
import type { Flags } from '../definition/field.ts'
import type { Resource } from '../definition/resource.ts'
import { callerValues, type Expression, Parameters, parameterValues, quote, Scope } from '../sql/sql.ts'
import type { Reader } from './detail.ts'
import { addCommonFlags, getAllFlags, selectList } from './select.ts'

/** An object that was read for one of many owners: the key of the owner, and the object as JSON, as its detail shows it. */
export type OwnedObject = { owner: number; body: string }

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
  { caller, services, executor }: Reader,
): Promise<OwnedObject[]> {
  const accessCondition = resource.rows?.(caller)
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const columns = selectList(resource.fields, scope, addCommonFlags(getAllFlags(resource), services.config.wire))
  const conditions = [belongs, ...(accessCondition ? [accessCondition.sql] : [])].map(
    (condition) => `(${scope.expression(condition)})`,
  )
  const text = `select owner.pk::text, row_to_json(r)::text from unnest(${parameters.number('owners')}::integer[]) owner (pk)
    cross join ${quote(getTableName(resource.table))} t ${scope.joins} cross join lateral (select ${columns}) r
    where ${conditions.join(' and ')} order by t."pk" limit ${parameters.number('limit')}::integer`
  const values: Record<string, unknown> = { ...callerValues(caller), owners, limit }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services, {})
  const rows = await executor.queryAsText({ text, values: parameterValues(parameters.names, values, accessCondition) })
  return rows.map(([owner, body]) => ({ owner: Number(owner), body: body as string }))
}

/**
 * Reads objects in one statement, as GET shows each with these flags. Each is looked up by its key, however many there are: for a statement
 * ordered by key, PostgreSQL would scan the table until all are found.
 * @returns the objects as JSON, in the order of the keys; without those that the caller may not access
 */
export async function readByKeys(
  resource: Resource,
  pks: readonly number[],
  flags: Flags,
  { caller, services, executor }: Reader,
): Promise<string[]> {
  const accessCondition = resource.rows?.(caller)
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const columns = selectList(resource.fields, scope, addCommonFlags(flags, services.config.wire))
  const where = accessCondition ? ` where ${scope.expression(accessCondition.sql)}` : ''
  const text = `select row_to_json(r)::text from unnest(${parameters.number('pks')}::integer[]) with ordinality requested (pk, "n#")
    cross join lateral (select * from ${quote(getTableName(resource.table))} x where x."pk" = requested.pk limit 1) t
    ${scope.joins} cross join lateral (select ${columns}) r${where} order by requested."n#"`
  const values: Record<string, unknown> = { ...callerValues(caller), pks }
  for (const [name, read] of Object.entries(resource.parameters ?? {})) values[name] = read(services, {})
  const rows = await executor.queryAsText({ text, values: parameterValues(parameters.names, values, accessCondition) })
  return rows.map(([body]) => body as string)
}
