import type { ComponentChildren } from 'preact'
import { formatNumber, t } from '../../kit/language/language.ts'
import { DescriptionList, Panel } from '../../kit/page/page.tsx'
import { type ApiResponse, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import type { Company } from './company-details.tsx'

/** Records of business with a company: the role for permissions, the role of the company, and the addresses of the list and its page. */
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
  stock: { title: 'companies.customer-stock', role: 'stock', as: 'customer', list: '/api/stock/', page: '/stock/' },
} as const

type BusinessType = keyof typeof BUSINESS_TYPES
const BUSINESS_NAMES = Object.keys(BUSINESS_TYPES) as BusinessType[]

/** Numbers of these records, loaded with the page of the company. */
export type Business = Partial<Record<BusinessType, ListPage<unknown>>>

/** The addresses that the account can view. @param pk of the company */
export const getBusinessUrls = (pk: string | undefined): Partial<Record<BusinessType, string>> =>
  Object.fromEntries(
    BUSINESS_NAMES.filter((name) => hasPermission('view', BUSINESS_TYPES[name].role)).map((name) => {
      const { list, as } = BUSINESS_TYPES[name]
      return [name, withQuery(list, { [as]: pk, limit: 1 })]
    }),
  )

/** The loaded numbers. */
type LoadedBusiness = Partial<Record<BusinessType, ApiResponse<ListPage<unknown>>>>

/** Number of orders with a company that the account can view. */
export const countOrders = ({ purchases, sales, returns }: LoadedBusiness): number =>
  [purchases, sales, returns].reduce((total, orders) => total + (orders?.body.count ?? 0), 0)

type Properties = { company: Company; business: LoadedBusiness }

/** Numbers of orders with a company, and of stock items that it has, each with a link to the list. */
export function CompanyBusiness({ company, business }: Properties) {
  const rows = BUSINESS_NAMES.filter((name) => company[`is_${BUSINESS_TYPES[name].as}`]).map(
    (name): [string, ComponentChildren] => {
      const { title, as, page } = BUSINESS_TYPES[name]
      const response = business[name]
      const total = response && formatNumber(response.body.count)
      return [
        t(title),
        total && (
          <a key={name} href={withQuery(page, { [as]: company.pk })} aria-label={`${t(title)}: ${total}`}>
            {total}
          </a>
        ),
      ]
    },
  )
  if (rows.every(([, content]) => !content)) return null
  return (
    <Panel>
      <DescriptionList rows={rows} />
    </Panel>
  )
}
