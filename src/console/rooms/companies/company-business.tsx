import { type Page as ListPage, withQuery } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import { number, type PlainKey, t } from '../../kit/language.ts'
import { Facts, Panel } from '../../kit/page.tsx'
import { may } from '../../kit/session.ts'
import type { Company } from './company-facts.tsx'

/** What there is between us and a company. */
const KINDS: readonly {
  title: PlainKey
  /** Whose rights count. */
  role: string
  /** What a company is that has it, and what narrows the list to it. */
  as: 'supplier' | 'customer'
  list: string
  page: string
}[] = [
  { title: 'purchase.title', role: 'purchase_order', as: 'supplier', list: '/api/order/po/', page: '/order/purchase-order/' },
  { title: 'sales.title', role: 'sales_order', as: 'customer', list: '/api/order/so/', page: '/order/sales-order/' },
  { title: 'returns.title', role: 'return_order', as: 'customer', list: '/api/order/ro/', page: '/order/return-order/' },
  { title: 'companies.has', role: 'stock', as: 'customer', list: '/api/stock/', page: '/stock/' },
]

/** How many orders there are with a company, and how much of our stock it has: each leads to them. */
export function CompanyBusiness({ company }: { company: Company }) {
  const kinds = KINDS.filter(({ role, as }) => company[`is_${as}`] && may('view', role))
  const { data } = useRead<Record<string, ListPage<unknown>>>(
    Object.fromEntries(kinds.map(({ title, as, list }) => [title, withQuery(list, { [as]: company.pk, limit: 1 })])),
  )
  if (!data || kinds.length === 0) return null
  return (
    <Panel>
      <Facts
        rows={kinds.map(({ title, as, page }) => {
          const many = number(data[title]?.body.count ?? 0)
          return [
            t(title),
            <a key={title} href={withQuery(page, { [as]: company.pk })} aria-label={`${t(title)}: ${many}`}>
              {many}
            </a>,
          ]
        })}
      />
    </Panel>
  )
}
