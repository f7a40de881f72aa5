import type { PoolClient } from 'pg'
import { STATEFUL } from '../../resources/generic/status/custom/custom-states.ts'

/**
 * Columns that refer to objects of a model that earlier versions did not import. They stored the keys of those objects, without a validated
 * reference: each key becomes a reference to its object.
 */
const columns = [
  { model: 'order.salesorder', target: 'sales_order', table: 'stock_item', column: 'sales_order' },
  { model: 'build.build', target: 'build_order', table: 'stock_item', column: 'build' },
  { model: 'build.build', target: 'build_order', table: 'stock_item', column: 'consumed_by' },
]

/** A cleared number, for which there is no object. */
export type ClearedNumber = { table: string; pk: number; column: string; number: number }

/** Turns the numbers that were stored for objects of a model, which are now loaded, into references. Returns the numbers without an object. */
export async function clearDanglingNumbers(client: PoolClient, model: string): Promise<ClearedNumber[]> {
  const cleared: ClearedNumber[] = []
  for (const { target, table, column } of columns.filter((reference) => reference.model === model)) {
    const { rows } = await client.query<{ pk: number; number: number }>(
      `with dangling as materialized (
         select referring.pk, referring."${column}" as number from "${table}" referring
         where referring."${column}" is not null
           and not exists (select from "${target}" target where target.pk = referring."${column}")
       ), cleared as (
         update "${table}" referring set "${column}" = null from dangling where referring.pk = dangling.pk
       )
       select pk, number from dangling order by pk`,
    )
    cleared.push(...rows.map((row) => ({ table, column, ...row })))
    await validate(client, table, column)
  }
  return cleared
}

/**
 * Clears custom states that do not exist, or are of another status: InvenTree keeps the key of a deleted state. Returns those whose key is
 * not simply that of the status.
 */
export async function clearUnknownStates(client: PoolClient): Promise<ClearedNumber[]> {
  const cleared: ClearedNumber[] = []
  for (const [name, { table }] of Object.entries(STATEFUL)) {
    const { rows } = await client.query<{ pk: number; number: number; status: number }>(
      `update "${table}" own set status_custom_key = null
       from (select pk, status_custom_key as number from "${table}" where status_custom_key is not null) former
       where own.pk = former.pk and not exists (
         select from custom_state where reference_status = $1 and key = former.number and logical_key = own.status
       ) returning own.pk, former.number, own.status`,
      [name],
    )
    for (const { pk, number, status } of rows)
      if (number !== status) cleared.push({ table, pk, column: 'status_custom_key', number })
  }
  return cleared
}

/** Validates the reference for existing rows as well. */
async function validate(client: PoolClient, table: string, column: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint join pg_attribute on attrelid = conrelid and conkey = array[attnum]
     where conrelid = to_regclass(quote_ident($1)) and attname = $2 and contype = 'f' and not convalidated`,
    [table, column],
  )
  for (const { name } of rows) await client.query(`alter table "${table}" validate constraint ${name}`)
}

/** Maximum number of listed numbers; the rest is only counted. */
const MAX_LISTED_NUMBERS = 100

/** Describes the numbers without an object, line by line. */
export function describeCleared(cleared: ClearedNumber[]): string[] {
  const lines = cleared
    .slice(0, MAX_LISTED_NUMBERS)
    .map(({ table, pk, column, number }) => `${table} ${pk}: ${column} ${number} was cleared: the object does not exist`)
  const more = cleared.length - lines.length
  return more > 0 ? [...lines, `and ${more} more`] : lines
}
