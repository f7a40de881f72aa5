import { getTableName } from 'drizzle-orm'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { getImportModel, type ImportModel } from './import-models.ts'

/** A row of another table that refers to an object. */
export type Use = { pk: number; table: string }

/** Tables whose rows the service writes for an object by itself, or that say who watches it. */
const COMPANIONS = new Set(['part_pricing', 'part_quantity', 'part_star', 'part_category_star', 'stock_tracking'])

/** Whether objects of a type can be deleted. */
export const canDelete = ({ resource }: ImportModel): boolean => !resource.without?.includes('delete')

/**
 * Finds what refers to objects of a type.
 * @param keys the objects
 * @param own the keys of objects, by type, that do not count: they are undone as well
 * @param since parameters that are not newer do not count: a category gives them to new parts
 */
export async function findUses(
  tx: Tx,
  { resource }: ImportModel,
  keys: readonly number[],
  own: ReadonlyMap<string, readonly number[]>,
  since: string | null,
): Promise<Use[]> {
  if (keys.length === 0) return []
  const ownByTable = new Map([...own].map(([type, pks]) => [getTableName(getImportModel(type).resource.table), pks]))
  const columns = await tx.query<{ name: string; column: string; has_pk: boolean }>(
    `select c.relname as name, a.attname as column,
       exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'pk') as has_pk
     from pg_constraint f
     join pg_class c on c.oid = f.conrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
     where f.contype = 'f' and f.confrelid = $1::regclass and cardinality(f.conkey) = 1
     order by c.relname, a.attname`,
    [quote(getTableName(resource.table))],
  )
  const uses: Use[] = []
  for (const { name, column, has_pk } of columns) {
    if (COMPANIONS.has(name)) continue
    const values: unknown[] = [keys]
    const conditions = [`${quote(column)} = any($1::integer[])`]
    const excluded = ownByTable.get(name)
    if (excluded && has_pk) conditions.push(`pk <> all($${values.push(excluded)}::integer[])`)
    if (name === 'parameter') conditions.push(`updated > $${values.push(since)}::timestamptz`)
    const found = await tx.query<{ pk: number }>(
      `select distinct ${quote(column)} as pk from ${quote(name)} where ${conditions.join(' and ')} limit 100`,
      values,
    )
    uses.push(...found.map(({ pk }) => ({ pk, table: name })))
  }
  return uses
}
