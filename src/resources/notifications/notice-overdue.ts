import type { Tx } from '../../kit/sql/tx.ts'
import { overdueBuilds } from './build-news.ts'
import { overdueOrders } from './order-news.ts'

/** Days after which nobody is told any more that something is overdue: the service was down as long, or it was imported. */
const LATEST = 7

/**
 * Gives notice of what is overdue, and of which nobody was told yet. It may be done as often as one likes, by several nodes at once: who
 * was told of a target date is not told of it again.
 */
export async function noticeOverdue(tx: Tx): Promise<void> {
  for (const { model, table, category, isSo, people } of [...overdueOrders, overdueBuilds])
    await tx.query(
      `insert into notice (kind, model, target)
       select 'overdue', $1::varchar, o.pk from ${table} o
       where ${isSo} and o.target_date >= current_date - ${LATEST}
         and coalesce(${people.map((column) => `o.${column}`).join(', ')}) is not null
         and not exists (
           select from told_notice t where t.category = $2 and t.target = o.pk and t.occasion = o.target_date::text
         )
         and not exists (select from notice n where n.kind = 'overdue' and n.model = $1::varchar and n.target = o.pk)`,
      [model, category],
    )
}
