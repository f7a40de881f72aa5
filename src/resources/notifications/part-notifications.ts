import type { Tx } from '../../kit/sql/tx.ts'
import { getWebPage } from '../../web-pages.ts'
import { type NotificationContent, type PendingNotification, SELECT_SUBSCRIBERS } from './notification-kinds.ts'

type LowStockPart = { full_name: string; in_stock: string; minimum: string; units: string | null; followers: number[] }

/**
 * The notification that a part, or a template with its variants, is low on stock: for subscribers of it, a template above it, its category
 * or one above that. Undefined if it was deleted, or is no longer low on stock.
 */
export async function composeLowStockNotification(
  tx: Tx,
  { target: pk }: PendingNotification,
): Promise<NotificationContent | undefined> {
  const part = await tx.first<LowStockPart>(
    `select part.full_name, trim_scale(q.total_in_stock)::text as in_stock, trim_scale(part.minimum_stock)::text as minimum,
       part.units, array(${SELECT_SUBSCRIBERS}) as followers
     from part join part_quantity q on q.pk = part.pk where part.pk = $1 and q.total_in_stock < part.minimum_stock`,
    [pk],
  )
  if (!part) return undefined
  const amount = (quantity: string) => (part.units ? `${quantity} ${part.units}` : quantity)
  return {
    category: 'part.notify_low_stock',
    name: 'Low stock',
    message: `${part.full_name} is low on stock: ${amount(part.in_stock)} in stock, minimum ${amount(part.minimum)}.`,
    target: { name: part.full_name, model: 'part', pk, link: getWebPage('/api/part/', pk) },
    accounts: part.followers,
  }
}
