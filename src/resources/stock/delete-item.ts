import type { Deletion } from '../../kit/definition/resource.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { recomputeTotals } from '../order/recompute-totals.ts'
import { RETURN_ORDER } from '../order/ro/ro-kind.ts'

/** The return orders of whose lines something is deleted, by the transaction that deletes it. */
const ordersOf = new WeakMap<Tx, readonly number[]>()

/**
 * Remembers, before items are deleted, the return orders of whose lines these are, or what is installed in them: the lines go with the items.
 */
export async function rememberReturnOrders(tx: Tx, pks: readonly number[]): Promise<void> {
  const orders = await tx.query<{ pk: number }>(
    `with recursive going as (
       select unnest($1::integer[]) as pk
       union select inside.pk from stock_item inside join going on inside.belongs_to = going.pk
     )
     select distinct "order" as pk from return_order_line where item in (select pk from going) order by 1`,
    [pks],
  )
  ordersOf.set(
    tx,
    orders.map(({ pk }) => pk),
  )
}

/** Return orders come to less once their lines went with the items. */
export async function recomputeReturnOrders(deletion: Omit<Deletion, 'row'>): Promise<void> {
  const orders = ordersOf.get(deletion.tx) ?? []
  if (orders.length > 0) await recomputeTotals(deletion, RETURN_ORDER, orders)
}
