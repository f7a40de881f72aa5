import {
  type CompanyBrief,
  ON_HOLD_STATUS,
  type Order,
  type OrderKind,
  type PartBrief,
  PENDING_STATUS,
  roundQuantity,
} from '../orders/order.ts'
import type { Flaw } from '../stock/available-quantity.tsx'

/** A sales order, as returned by `/api/order/so/`. */
export type SalesOrder = Order & {
  customer: number | null
  customer_detail: CompanyBrief | null
  customer_reference: string
  shipment_date: string | null
}

/** Stock allocated to a line, or shipped for it. */
export type Allocation = {
  pk: number
  line: number
  serial: string | null
  quantity: number
  item: number
  shipment: number | null
  shipment_date: string | null
  part_detail: PartBrief | null
  location_detail: { name: string; pathstring: string } | null
}

/** A line, as returned by `/api/order/so-line/?part_detail=true&etag=true`. Shipped quantities count as allocated, too. */
export type SalesLine = {
  pk: number
  etag?: string
  part: number | null
  part_detail: PartBrief | null
  quantity: number
  allocated: number
  shipped: number
  available_stock: number
  available_variant_stock: number
  flawed_stock?: Flaw[]
  reference: string
  notes: string
  overdue: boolean
  sale_price: string | null
  sale_price_currency: string
  discount: number
  line: string
  target_date: string | null
}

export type Shipment = {
  pk: number
  etag?: string
  reference: string
  shipment_date: string | null
  delivery_date: string | null
  tracking_number: string
  allocations: readonly Allocation[]
}

/** Status of an issued order, from `/api/order/so/status/`. */
const IN_PROGRESS = 15

export const SALES_ORDERS: OrderKind = {
  name: 'sales',
  model: 'so',
  documentModel: 'salesorder',
  page: '/order/sales-order/',
  role: 'sales_order',
  company: 'customer',
  statuses: {
    [PENDING_STATUS]: { label: 'orders.pending' },
    [IN_PROGRESS]: { label: 'sales.in-progress', tone: 'accent' },
    20: { label: 'sales.shipped', tone: 'good' },
    [ON_HOLD_STATUS]: { label: 'orders.on-hold', tone: 'warn' },
    40: { label: 'orders.cancelled', tone: 'bad' },
    50: { label: 'orders.lost', tone: 'warn' },
    60: { label: 'orders.returned', tone: 'warn' },
  },
  issued: IN_PROGRESS,
  editSetting: 'SALESORDER_EDIT_COMPLETED_ORDERS',
}

/** The quantity of a line still to ship. A line without a part ships nothing. */
export const getUnshipped = ({ part, quantity, shipped }: SalesLine): number =>
  part === null ? 0 : Math.max(0, roundQuantity(quantity - shipped))

/** The quantity still to allocate to a line. */
export const getShortage = ({ quantity, allocated, shipped }: SalesLine): number =>
  Math.max(0, roundQuantity(quantity - Math.max(allocated, shipped)))
