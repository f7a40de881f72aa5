import type { Caller } from '../../kit/request/caller.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/** What may happen to an order of which accounts are told. */
export type OrderNews = 'new' | 'canceled' | 'received' | 'responsible' | 'overdue'

/** The same of a build order. */
export type BuildNews = 'new' | 'canceled' | 'completed' | 'responsible' | 'overdue' | 'lacks_stock'

/** The kinds of objects of which there is news. */
export type NoticeModel = 'purchaseorder' | 'salesorder' | 'returnorder' | 'build' | 'part'

/**
 * Notes, in the transaction in which it happens, that there is news of an order: once that is committed, whoever has to know is told,
 * and otherwise nobody.
 */
export async function notify(
  { tx, caller }: { tx: Tx; caller: Caller },
  kind: OrderNews | BuildNews,
  model: Exclude<NoticeModel, 'part'>,
  pk: number,
): Promise<void> {
  await tx.query('insert into notice (kind, model, target, actor) values ($1, $2, $3, $4)', [kind, model, pk, caller.pk])
}
