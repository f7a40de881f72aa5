import type { Tx } from '../../kit/sql/tx.ts'
import { getWebPage } from '../../web-pages.ts'
import { type NotificationContent, type PendingNotification, selectOwnerAccounts } from './notification-kinds.ts'

/** Stock of one order that a count released. */
type ReleasedStock = {
  model: 'salesorder' | 'build'
  pk: number
  reference: string
  about: string | null
  /** The accounts of its responsible owner; without one, the account that created it. */
  accounts: number[]
  /** Quantities of parts, as readable text. */
  amounts: string[]
}

/** Selects the stock that one count released from the order of an entry, without stock that was allocated again. */
const SELECT_RELEASED = `
  select case when o.sales_order is null then 'build' else 'salesorder' end as model, coalesce(o.sales_order, o.build) as pk,
    coalesce(sale.reference, build.reference) as reference, coalesce(company.name, built_part.full_name) as about,
    array(
      select account from (
        ${selectOwnerAccounts('coalesce(sale.responsible, build.responsible)')}
        union select coalesce(sale.created_by, build.issued_by) where coalesce(sale.responsible, build.responsible) is null
      ) recipient (account) where account is not null
    ) as accounts,
    array(
      select trim_scale(sum(r.quantity)) || coalesce(' ' || nullif(part.units, ''), '') || ' ' || part.full_name
      from released_allocation r join part on part.pk = r.part
      where r.sales_order is not distinct from o.sales_order and r.build is not distinct from o.build
        and r.created = o.created and r."user" is not distinct from o."user" and r.restored is null
      group by part.pk order by min(r.pk)
    ) as amounts
  from released_allocation o
  left join sales_order sale on sale.pk = o.sales_order left join company on company.pk = sale.customer
  left join build_order build on build.pk = o.build left join part built_part on built_part.pk = build.part
  where o.pk = $1`

/** Maximum number of parts listed. */
const MAX_NAMED_ITEMS = 5

/** The notification of stock that a count released; undefined if the count was undone, or the order was deleted. */
export async function composeReleaseNotification(
  tx: Tx,
  { target: entry, actors }: PendingNotification,
): Promise<NotificationContent | undefined> {
  const released = await tx.first<ReleasedStock>(SELECT_RELEASED, [entry])
  if (!released || released.amounts.length === 0) return undefined
  const { model, pk, reference, about, accounts, amounts } = released
  const name = about === null ? reference : `${reference} - ${about}`
  const listedAmounts = [
    ...amounts.slice(0, MAX_NAMED_ITEMS),
    ...(amounts.length > MAX_NAMED_ITEMS ? [`${amounts.length - MAX_NAMED_ITEMS} more`] : []),
  ]
  return {
    category: model === 'build' ? 'build.stock_released' : 'order.stock_released',
    name: 'Stock released by a count',
    message: `A count found less than was allocated to ${name}. Released: ${listedAmounts.join(', ')}.`,
    target: { name, model, pk, link: getWebPage(model === 'build' ? '/api/build/' : '/api/order/so/', pk) },
    accounts: accounts.filter((account) => actors.some((actor) => actor !== account)),
    isRepeated: true,
  }
}
