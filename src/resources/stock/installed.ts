import type { Body } from '../../kit/definition/resource.ts'
import { leadsTo } from '../../kit/sql/chains.ts'
import { toPlainSql } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { parseReferencedKey } from '../../kit/values/json.ts'
import { selectBomLines, selectUsableParts } from '../bom/bom-lines.ts'
import { stockErrors } from './stock-errors.ts'
import { lockBuilds } from './stock-item-rules.ts'

export const INSIDE_ITSELF = stockErrors.installed_in_itself

/** Locks installations; call it before locking items to install in another: two valid concurrent changes could create a loop together. */
export const lockInstallations = (tx: Tx): Promise<unknown> => tx.query(`select lock_tree('stock_item')`)

/**
 * Locks the rows that a PUT or PATCH of a stock item needs before the item: its build orders, if it becomes an output; and the item and its
 * host, in key order, if it is to be installed.
 */
export async function lockChange(tx: Tx, pks: readonly number[], body: Body): Promise<void> {
  if (body.is_building || body.build) await lockBuilds(tx, pks, parseReferencedKey(body.build))
  const host = parseReferencedKey(body.belongs_to)
  if (!host) return
  await lockInstallations(tx)
  await tx.query('select from stock_item where pk = any($1::integer[]) order by pk for no key update', [[...pks, host]])
}

/** Whether an item is another one, or is installed in it at any depth. */
export const isInside = (tx: Tx, pk: number, other: number): Promise<boolean> =>
  leadsTo(tx, 'stock_item', 'belongs_to', pk, other)

/** Whether the BOM of an item's part accepts a part. */
export async function isComponent(tx: Tx, item: number, part: number): Promise<boolean> {
  const usable = toPlainSql(selectUsableParts(selectBomLines('item.part')))
  const row = await tx.first(`select from stock_item item where item.pk = $1 and $2 in ${usable}`, [item, part])
  return row !== undefined
}
