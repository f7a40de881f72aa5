import type { Deletion } from '../../kit/definition/resource.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import { recomputeTotals } from '../order/recompute-totals.ts'
import { RETURN_ORDER } from '../order/ro/ro-kind.ts'
import { stockErrors } from './stock-errors.ts'

/** Return orders with lines to be deleted, by the transaction. */
const returnOrdersByTransaction = new WeakMap<Tx, readonly number[]>()

/**
 * Reads the return order lines of stock items, and of the items installed in them: they are deleted with the items.
 * @param items a condition on rows of `stock_item`
 */
const findReturnLines = (tx: Tx, items: string, values: unknown[]): Promise<{ pk: number; order: number }[]> =>
  tx.query(
    `with recursive deleted as (
       select pk from stock_item where ${items}
       union select inside.pk from stock_item inside join deleted on inside.belongs_to = deleted.pk
     )
     select pk, "order" from return_order_line where item in (select pk from deleted)`,
    values,
  )

/** Records the return orders whose lines are deleted together with items, before the deletion. */
export async function recordReturnOrders(tx: Tx, pks: readonly number[]): Promise<void> {
  const lines = await findReturnLines(tx, 'pk = any($1::integer[])', [pks])
  returnOrdersByTransaction.set(
    tx,
    lines.map(({ order }) => order),
  )
}

/** Rejects the deletion of an item with a serial number, if the settings forbid it. */
export function requireDeletableItem(deletion: Deletion): void {
  if (deletion.row.serial && !setting(deletion, 'STOCK_ALLOW_DELETE_SERIALIZED'))
    throw invalidObject(stockErrors.serialized_item_not_deletable)
}

/**
 * Deletes the return order lines of stock items that are about to be deleted, and of the items installed in them, and recomputes the totals
 * of the orders. The lock order has return orders before stock items: if there are any, the transaction is retried with the exclusive lock
 * of all writes.
 * @param items a condition on rows of `stock_item`
 */
export async function deleteReturnLines(
  context: Pick<Services, 'settings'> & { tx: Tx },
  items: string,
  values: unknown[],
): Promise<void> {
  const { tx } = context
  const lines = await findReturnLines(tx, items, values)
  if (lines.length === 0) return
  tx.lockExclusive()
  await tx.query('delete from return_order_line where pk = any($1::integer[])', [lines.map(({ pk }) => pk)])
  await recomputeTotals(
    context,
    RETURN_ORDER,
    lines.map(({ order }) => order),
  )
}

/** Recomputes the totals of return orders whose lines were deleted with their items. */
export async function recomputeReturnOrders(deletion: Omit<Deletion, 'row'>): Promise<void> {
  const orders = returnOrdersByTransaction.get(deletion.tx) ?? []
  if (orders.length > 0) await recomputeTotals(deletion, RETURN_ORDER, orders)
}
