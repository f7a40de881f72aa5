import type { Tx } from '../../kit/sql/tx.ts'
import type { News, Notice } from './news.ts'

type LowPart = { full_name: string; in_stock: string; minimum: string; units: string | null; followers: number[] }

/**
 * That a part, or a template with its variants, is low on stock: for those who follow it, a template above it, its category or one above
 * that. Undefined when it is gone, or no longer low.
 */
export async function lowStockNews(tx: Tx, { target: pk }: Notice): Promise<News | undefined> {
  const part = await tx.first<LowPart>(
    `select p.full_name, trim_scale(q.total_in_stock)::text as in_stock, trim_scale(p.minimum_stock)::text as minimum, p.units,
       array(
         select s."user" from part_star s where s.part = any(p.path)
         union select s."user" from part_category_star s join part_category c on c.pk = p.category where s.category = any(c.path)
       ) as followers
     from part p join part_quantity q on q.pk = p.pk where p.pk = $1 and q.total_in_stock < p.minimum_stock`,
    [pk],
  )
  if (!part) return undefined
  const amount = (quantity: string) => (part.units ? `${quantity} ${part.units}` : quantity)
  return {
    category: 'part.notify_low_stock',
    name: 'Low stock',
    message: `Of ${part.full_name} there are ${amount(part.in_stock)} in stock, fewer than ${amount(part.minimum)}.`,
    target: { name: part.full_name, model: 'part', pk, link: `/part/${pk}/` },
    accounts: part.followers,
  }
}
