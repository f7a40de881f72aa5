import type { Tx } from './tx.ts'

/**
 * SQL: the keys of the row that a filter names (`{@value}`) and of all rows that lead to it, at any depth. `union` stops at rows that were
 * visited before.
 * @param table a table, and the column by which its rows refer to another of them
 */
export const selectRowsLeadingTo = (table: string, column: string): string =>
  `select pk from (with recursive chain (pk) as (select {@value}::integer union select link.pk {from ${table}} link join chain on link.${column} = chain.pk) select pk from chain) whole`

/**
 * Whether a row is another one, or leads to it at any depth.
 * @param column the column by which rows of the table refer to another of them
 */
export async function leadsTo(tx: Tx, table: string, column: string, pk: number, target: number): Promise<boolean> {
  const row = await tx.first(
    `with recursive chain (pk) as (
       select $1::integer union select link.${column} from ${table} link join chain on link.pk = chain.pk
     )
     select 1 from chain where pk = $2`,
    [pk, target],
  )
  return row !== undefined
}
