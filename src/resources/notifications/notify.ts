import type { Caller } from '../../kit/request/caller.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/** Events of an order that accounts are notified of. */
export type OrderNotificationKind = 'new' | 'held' | 'canceled' | 'received' | 'responsible' | 'overdue'

/** Events of a build order that accounts are notified of. */
export type BuildNotificationKind = 'new' | 'held' | 'canceled' | 'completed' | 'responsible' | 'overdue' | 'lacks_stock'

/** Types of objects that notifications can be about. */
export type NotificationModel = 'purchaseorder' | 'salesorder' | 'returnorder' | 'transferorder' | 'build' | 'part'

/**
 * Records a pending notification about an object, in the transaction that causes it: recipients are notified after the commit, and not at
 * all if the transaction is rolled back.
 */
export async function notify(
  { tx, caller }: { tx: Tx; caller: Caller },
  kind: OrderNotificationKind | BuildNotificationKind,
  model: Exclude<NotificationModel, 'part'>,
  pk: number,
): Promise<void> {
  await tx.query('insert into notice (kind, model, target, actor) values ($1, $2, $3, $4)', [kind, model, pk, caller.pk])
}
