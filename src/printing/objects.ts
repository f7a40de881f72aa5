import { getTableName } from 'drizzle-orm'
import type { Resource } from '../kit/definition/resource.ts'
import type { Caller } from '../kit/request/caller.ts'
import { callerValues, Parameters, parameterValues, quote, Scope } from '../kit/sql/sql.ts'
import type { Database } from '../kit/sql/tx.ts'

/** Returns those of the keys whose objects exist and are readable by the caller. */
export async function findReadableKeys(
  database: Pick<Database, 'read'>,
  resource: Resource,
  pks: readonly number[],
  caller: Caller | undefined,
): Promise<ReadonlySet<number>> {
  if (pks.length === 0) return new Set()
  const rowFilter = resource.rows?.(caller)
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const where = rowFilter ? ` and (${scope.expression(rowFilter.sql)})` : ''
  const text = `select t.pk from ${quote(getTableName(resource.table))} t ${scope.joins} where t.pk = any(${parameters.number('pks')}::integer[])${where}`
  const values = parameterValues(parameters.names, { ...callerValues(caller), pks }, rowFilter)
  return new Set((await database.read<{ pk: number }>({ text, values })).map(({ pk }) => pk))
}
