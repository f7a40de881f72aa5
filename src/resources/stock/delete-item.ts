import type { Deletion } from '../../kit/definition/resource.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { recomputeTotals } from '../order/recompute-totals.ts'
import { RETURN_ORDER } from '../order/ro/ro-kind.ts'

/** The return orders of whose lines something is deleted, by the transaction that deletes it. */
const ordersOf = new WeakMap<Tx, readonly number[]>()

/**
 * Lines of return orders that name stock items, or what is installed in these: they are deleted with the items.
 * @param items a condition on rows of `stock_item`
 */
const returnLinesOf = (tx: Tx, items: string, values: unknown[]): Promise<{ pk: number; order: number }[]> =>
  tx.query(
    `with recursive going as (
       select pk from stock_item where ${items}
       union select inside.pk from stock_item inside join going on inside.belongs_to = going.pk
     )
     select pk, "order" from return_order_line where item in (select pk from going)`,
    values,
  )

/** Remembers, before items are deleted, the return orders whose lines are deleted with them. */
export async function rememberReturnOrders(tx: Tx, pks: readonly number[]): Promise<void> {
  const lines = await returnLinesOf(tx, 'pk = any($1::integer[])', [pks])
  ordersOf.set(
    tx,
    lines.map(({ order }) => order),
  )
}

/**
 * Deletes the lines of return orders that name stock items which are about to be deleted, or what is installed in these, and recomputes the
 * totals of the orders. These stand above stock items in the order of locks: where there are any, the transaction runs again with the
 * lock of all writes for itself.
 * @param items a condition on rows of `stock_item`
 */
export async function deleteReturnLines(
  context: Pick<Services, 'settings'> & { tx: Tx },
  items: string,
  values: unknown[],
): Promise<void> {
  const { tx } = context
  const lines = await returnLinesOf(tx, items, values)
  if (lines.length === 0) return
  tx.lockExclusive()
  await tx.query('delete from return_order_line where pk = any($1::integer[])', [lines.map(({ pk }) => pk)])
  await recomputeTotals(
    context,
    RETURN_ORDER,
    lines.map(({ order }) => order),
  )
}

/** Return orders come to less once their lines went with the items. */
export async function recomputeReturnOrders(deletion: Omit<Deletion, 'row'>): Promise<void> {
  const orders = ordersOf.get(deletion.tx) ?? []
  if (orders.length > 0) await recomputeTotals(deletion, RETURN_ORDER, orders)
}
