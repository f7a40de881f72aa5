import type { Caller } from '../../kit/request/caller.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/** Events of an order that accounts are notified of. */
export type OrderNotificationKind = 'new' | 'canceled' | 'received' | 'responsible' | 'overdue'

/** The same for a build order. */
export type BuildNotificationKind = 'new' | 'canceled' | 'completed' | 'responsible' | 'overdue' | 'lacks_stock'

/** Types of objects that notices can be about. */
export type NotificationModel = 'purchaseorder' | 'salesorder' | 'returnorder' | 'build' | 'part'

/**
 * Records, in the transaction that causes it, a notice about an object: recipients are notified once that has committed, and not if it is
 * rolled back.
 */
export async function notify(
  { tx, caller }: { tx: Tx; caller: Caller },
  kind: OrderNotificationKind | BuildNotificationKind,
  model: Exclude<NotificationModel, 'part'>,
  pk: number,
): Promise<void> {
  await tx.query('insert into notice (kind, model, target, actor) values ($1, $2, $3, $4)', [kind, model, pk, caller.pk])
}
