import { MEDIA_URL_PREFIX } from '../../kit/definition/file.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { NotificationContent, PendingNotification } from './notification-kinds.ts'

/** The notification that a stocktake report is ready, for the account that requested it. Undefined if the report was deleted. */
export async function composeStocktakeNotification(
  tx: Tx,
  { target: pk, model, actors }: PendingNotification,
): Promise<NotificationContent | undefined> {
  const report = await tx.first<{ report: string; part_count: number }>(
    'select report, part_count from part_stocktake_report where pk = $1',
    [pk],
  )
  if (!report) return undefined
  const parts = report.part_count === 1 ? '1 part' : `${report.part_count} parts`
  return {
    category: 'generate_stocktake_report',
    name: 'Stocktake report',
    message: `The stocktake report of ${parts} is ready.`,
    target: { name: 'Stocktake report', model, pk, link: `${MEDIA_URL_PREFIX}${report.report}` },
    accounts: actors.filter((actor) => actor !== null),
    isRepeated: true,
  }
}
