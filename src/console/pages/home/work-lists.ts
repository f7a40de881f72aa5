import type { FieldError, Page } from '../../kit/service/api.ts'
import { account, hasPermission, isEnabled } from '../../kit/service/session.ts'
import { getDateInDays } from '../../kit/values/days.ts'
import type { BuildLine as LineOfBuild } from '../builds/build-details.ts'
import { type CompanyBrief, getAvailable, type PartBrief, roundQuantity } from '../orders/order.ts'
import { SETUP_PATH, type SetupState } from './setup-steps.ts'

/** Days ahead in which orders count as due. */
const DUE_DAYS = 7
/** Maximum number of rows of each type: the rest is behind a link. */
export const MAX_ROWS = 25

type Due = { pk: number; reference: string; target_date: string | null; status: number }
type PurchaseDue = Due & {
  description: string
  supplier_detail: CompanyBrief | null
  line_items: number
  completed_lines: number
}
type SalesDue = Due & { description: string; customer_detail: CompanyBrief | null; line_items: number; completed_lines: number }
type TransferDue = Due & { description: string; destination_detail: { name: string } | null }
type BuildDue = Due & { title: string; part_detail: PartBrief | null; quantity: number; completed: number }

/** Shortage of a part below its minimum stock; quantities in its units. */
export type LowStockPart = {
  part: number
  name: string
  units: string | null
  minimum_stock: number
  in_stock: number
  coming: number
  lacks: number
}
/** Parts to order from a supplier. */
export type OrderProposal = {
  supplier: number
  supplier_name: string
  lines: (LowStockPart & { supplier_part: number; SKU: string; pack_quantity: number; quantity: number })[]
}
export type LowStock = {
  orders: OrderProposal[]
  without_supplier: (LowStockPart & { reason: 'inactive' | 'not_purchaseable' | 'no_supplier' })[]
}

type Expiring = {
  pk: number
  quantity: number
  serial: string | null
  batch: string | null
  expiry_date: string
  part_detail: PartBrief | null
  location_detail: { name: string; pathstring: string } | null
}
export type BuildLine = LineOfBuild & {
  build: number
  build_detail: { pk: number; reference: string; completed: number } | null
}
type SalesLine = {
  pk: number
  order: number
  quantity: number
  shipped: number
  allocated: number
  available_stock: number
  available_variant_stock: number
  part_detail: PartBrief | null
  order_detail: { pk: number; reference: string } | null
}
export type HomeNotification = {
  pk: number
  name: string
  message: string
  creation: string
  target: { name: string; link: string } | null
}

/** Progress of loading demo data into an empty database. */
export type DemoState = {
  status: 'available' | 'refused' | 'running' | 'done' | 'failed'
  percent: number
  field_errors: FieldError[]
}

/** Data of the page. Anything that the account cannot view is not requested. */
export type HomeData = {
  purchase?: Page<PurchaseDue>
  sales?: Page<SalesDue>
  returns?: Page<SalesDue>
  transfers?: Page<TransferDue>
  builds?: Page<BuildDue>
  low?: LowStock
  expiring?: Page<Expiring>
  buildLines?: Page<BuildLine>
  salesLines?: Page<SalesLine>
  news: Page<HomeNotification>
  setup: SetupState
  /** Shows with the next two whether the database contains anything. */
  parts?: Page<unknown>
  places?: Page<unknown>
  companies?: Page<unknown>
  demo?: DemoState
}

/** The URLs of the data that the account can view. */
export function getUrls(): Record<string, string> {
  const dueQuery = `outstanding=true&min_date=2000-01-01&max_date=${getDateInDays(DUE_DAYS)}&ordering=target_date&limit=${MAX_ROWS}`
  const waitingQuery = `order_outstanding=true&allocated=false&available=false&limit=${MAX_ROWS}`
  const urls: Record<string, string> = {
    news: '/api/notifications/?read=false&ordering=-creation&limit=5',
    setup: SETUP_PATH,
  }
  if (hasPermission('view', 'purchase_order')) {
    urls.purchase = `/api/order/po/?${dueQuery}&supplier_detail=true`
    urls.companies = '/api/company/?limit=1'
  }
  if (hasPermission('view', 'purchase_order') && hasPermission('view', 'part')) urls.low = '/api/order/po/low-stock/'
  if (hasPermission('view', 'sales_order')) {
    urls.sales = `/api/order/so/?${dueQuery}&customer_detail=true`
    urls.salesLines = `/api/order/so-line/?${waitingQuery}&part_detail=true&order_detail=true`
  }
  if (hasPermission('view', 'return_order')) urls.returns = `/api/order/ro/?${dueQuery}&customer_detail=true`
  if (hasPermission('view', 'transfer_order')) urls.transfers = `/api/order/transfer-order/?${dueQuery}&destination_detail=true`
  if (hasPermission('view', 'build')) {
    urls.builds = `/api/build/?${dueQuery.replace('outstanding', 'active')}&part_detail=true`
    urls.buildLines = `/api/build/line/?${waitingQuery}&consumable=false&build_detail=true`
  }
  // without the feature the service ignores the filter, and everything would seem to expire
  if (hasPermission('view', 'stock') && isEnabled('STOCK_ENABLE_EXPIRY'))
    urls.expiring = `/api/stock/?in_stock=true&stale=true&part_detail=true&location_detail=true&ordering=expiry_date&limit=${MAX_ROWS}`
  if (hasPermission('view', 'stock_location')) urls.places = '/api/stock/location/?limit=1'
  if (hasPermission('view', 'part')) urls.parts = '/api/part/?limit=1'
  if (account.value?.is_superuser) urls.demo = '/api/web/demo/'
  return urls
}

/** Whether the account can view all types of work. */
export const canViewEverything = (): boolean => WORK_ROLES.every((role) => hasPermission('view', role))

/** Whether the account sees any work; otherwise it lacks a group. */
export const canViewAnything = (): boolean => hasPermission('view', ...WORK_ROLES)

const WORK_ROLES = ['purchase_order', 'sales_order', 'return_order', 'build', 'part', 'stock']

/** Quantity of a sales line that is neither allocated nor available. */
export const getMissingQuantity = ({
  quantity,
  shipped,
  allocated,
  available_stock,
  available_variant_stock,
}: SalesLine): number =>
  // shipped quantities count as allocated
  roundQuantity(quantity - Math.max(allocated, shipped) - getAvailable({ available_stock, available_variant_stock }))
