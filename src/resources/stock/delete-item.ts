import type { Deletion } from '../../kit/definition/resource.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { recomputeTotals } from '../order/recompute-totals.ts'
import { RETURN_ORDER } from '../order/ro/ro-kind.ts'
import { lockStock } from './stock-item-rules.ts'

/** The return orders of whose lines something is deleted, by the transaction that deletes it. */
const ordersOf = new WeakMap<Tx, readonly number[]>()

/**
 * What the deletion of items locks before them: the return orders of whose lines these are, or what is installed in them, in the order of
 * their keys. The lines go with the items and are counted by their orders, which whoever receives locks before the items, too.
 */
export async function lockForDeletion(tx: Tx, pks: readonly number[]): Promise<void> {
  lockStock(tx)
  const orders = await tx.query<{ pk: number }>(
    `with recursive going as (
       select unnest($1::integer[]) as pk
       union select inside.pk from stock_item inside join going on inside.belongs_to = going.pk
     )
     select pk from return_order
     where pk in (select "order" from return_order_line where item in (select pk from going)) order by pk for no key update`,
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
