import { buildEventStatement } from '../../kit/services/events.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { overdueBuilds } from './build-notifications.ts'
import type { OverdueKind } from './notification-kinds.ts'
import { overdueOrders } from './order-notifications.ts'

/** Maximum days overdue for a notification: whatever is overdue for longer was imported, or the service was down that long. */
const MAX_OVERDUE_DAYS = 7

/**
 * Records pending notifications of overdue objects for which none was sent yet. It may run any number of times, on several nodes
 * concurrently: no one is notified of the same target date twice.
 */
export async function notifyOverdue(tx: Tx): Promise<void> {
  for (const overdue of [...overdueOrders, overdueBuilds]) {
    const { model, table, category, isOverdueSql, recipientColumns } = overdue
    await emitOverdueEvents(tx, overdue)
    await tx.query(
      `insert into notice (kind, model, target)
       select 'overdue', $1::varchar, o.pk from ${table} o
       where ${isOverdueSql} and o.target_date >= current_date - ${MAX_OVERDUE_DAYS}
         and coalesce(${recipientColumns.map((column) => `o.${column}`).join(', ')}) is not null
         and not exists (
           select from told_notice t where t.category = $2 and t.target = o.pk and t.occasion = o.target_date::text
         )
         and not exists (select from notice n where n.kind = 'overdue' and n.model = $1::varchar and n.target = o.pk)`,
      [model, category],
    )
  }
}

/** Emits an event of overdue objects for plugins, once per target date, regardless of who is notified. */
async function emitOverdueEvents(tx: Tx, { table, category, isOverdueSql }: OverdueKind): Promise<void> {
  const overdueRows = await tx.query<{ target: number }>(
    `insert into told_notice (category, target, occasion)
     select 'event ' || $1, o.pk, o.target_date::text from ${table} o where ${isOverdueSql} and o.target_date >= current_date - ${MAX_OVERDUE_DAYS}
     on conflict do nothing returning target`,
    [category],
  )
  const keys = overdueRows.map(({ target }) => target).toSorted((one, other) => one - other)
  if (keys.length > 0) tx.atCommit(buildEventStatement(table.replaceAll('"', ''), keys, category))
}
