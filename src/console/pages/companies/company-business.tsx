import type { ComponentChildren } from 'preact'
import { number, t } from '../../kit/language/language.ts'
import { DescriptionList, Panel } from '../../kit/page/page.tsx'
import { type ApiResponse, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import type { Company } from './company-details.tsx'

/** Records that link a company to us: the role for permissions, the role of the company, and the addresses of the list and its page. */
const BUSINESS_TYPES = {
  purchases: {
    title: 'purchase.title',
    role: 'purchase_order',
    as: 'supplier',
    list: '/api/order/po/',
    page: '/order/purchase-order/',
  },
  sales: { title: 'sales.title', role: 'sales_order', as: 'customer', list: '/api/order/so/', page: '/order/sales-order/' },
  returns: { title: 'returns.title', role: 'return_order', as: 'customer', list: '/api/order/ro/', page: '/order/return-order/' },
  stock: { title: 'companies.has', role: 'stock', as: 'customer', list: '/api/stock/', page: '/stock/' },
} as const

type BusinessType = keyof typeof BUSINESS_TYPES
const NAMES = Object.keys(BUSINESS_TYPES) as BusinessType[]

/** Numbers of them, loaded with the page of the company. */
export type Business = Partial<Record<BusinessType, ListPage<unknown>>>

/** The addresses that the account may view. @param pk of the company */
export const businessOf = (pk: string | undefined): Partial<Record<BusinessType, string>> =>
  Object.fromEntries(
    NAMES.filter((name) => may('view', BUSINESS_TYPES[name].role)).map((name) => {
      const { list, as } = BUSINESS_TYPES[name]
      return [name, withQuery(list, { [as]: pk, limit: 1 })]
    }),
  )

/** The loaded numbers. */
type Read = Partial<Record<BusinessType, ApiResponse<ListPage<unknown>>>>

/** Number of orders with a company that the account may view. */
export const countOrders = ({ purchases, sales, returns }: Read): number =>
  [purchases, sales, returns].reduce((all, orders) => all + (orders?.body.count ?? 0), 0)

type Properties = { company: Company; business: Read }

/** Numbers of orders with a company, and of our stock items that it has: each links to them. */
export function CompanyBusiness({ company, business }: Properties) {
  const rows = NAMES.filter((name) => company[`is_${BUSINESS_TYPES[name].as}`]).map((name): [string, ComponentChildren] => {
    const { title, as, page } = BUSINESS_TYPES[name]
    const response = business[name]
    const total = response && number(response.body.count)
    return [
      t(title),
      total && (
        <a key={name} href={withQuery(page, { [as]: company.pk })} aria-label={`${t(title)}: ${total}`}>
          {total}
        </a>
      ),
    ]
  })
  if (rows.every(([, content]) => !content)) return null
  return (
    <Panel>
      <DescriptionList rows={rows} />
    </Panel>
  )
}
