import { eventWrite } from '../../kit/services/events.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { overdueBuilds } from './build-notifications.ts'
import type { Overdue } from './notification-kinds.ts'
import { overdueOrders } from './order-notifications.ts'

/** Days after which nobody is notified of something overdue: it was imported, or the service was down as long. */
const LATEST = 7

/**
 * Creates notices of overdue objects for which none was sent yet. It may run any number of times, on several nodes concurrently: nobody is
 * notified of the same target date twice.
 */
export async function notifyOverdue(tx: Tx): Promise<void> {
  for (const overdue of [...overdueOrders, overdueBuilds]) {
    const { model, table, category, isSo, people } = overdue
    await enqueueOverdue(tx, overdue)
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
}

/** Emits an event of overdue objects for plugins too, whoever is notified: once per target date. */
async function enqueueOverdue(tx: Tx, { table, category, isSo }: Overdue): Promise<void> {
  const overdueRows = await tx.query<{ target: number }>(
    `insert into told_notice (category, target, occasion)
     select 'event ' || $1, o.pk, o.target_date::text from ${table} o where ${isSo} and o.target_date >= current_date - ${LATEST}
     on conflict do nothing returning target`,
    [category],
  )
  const keys = overdueRows.map(({ target }) => target).toSorted((one, other) => one - other)
  if (keys.length > 0) tx.atCommit(eventWrite(table.replaceAll('"', ''), keys, category))
}
