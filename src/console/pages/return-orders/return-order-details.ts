import { type CompanyBrief, ON_HOLD_STATUS, type Order, type OrderKind, type PartBrief, PENDING_STATUS } from '../orders/order.ts'

/** A return order, as returned by `/api/order/ro/`. */
export type ReturnOrder = Order & {
  customer: number | null
  customer_detail: CompanyBrief | null
  customer_reference: string
}

/** A line: a returned item, as returned by `/api/order/ro-line/?part_detail=true&item_detail=true&etag=true`. */
export type ReturnLine = {
  pk: number
  etag?: string
  item: number
  item_detail: { pk: number; serial: string | null } | null
  part_detail: PartBrief | null
  /** The day it was received; null before that. */
  received_date: string | null
  outcome: number
  price: string | null
  price_currency: string
  discount: number
  line: string
  quantity: number
  reference: string
  notes: string
  target_date: string | null
}

/** Status of an issued order, from `/api/order/ro/status/`. */
export const IN_PROGRESS = 20

export const RETURN_ORDERS: OrderKind = {
  name: 'returns',
  model: 'ro',
  documentModel: 'returnorder',
  page: '/order/return-order/',
  role: 'return_order',
  company: 'customer',
  statuses: {
    [PENDING_STATUS]: { label: 'orders.pending' },
    [IN_PROGRESS]: { label: 'returns.in-progress', tone: 'accent' },
    [ON_HOLD_STATUS]: { label: 'orders.on-hold', tone: 'warn' },
    30: { label: 'orders.complete', tone: 'good' },
    40: { label: 'orders.cancelled', tone: 'bad' },
  },
  issued: IN_PROGRESS,
  editSetting: 'RETURNORDER_EDIT_COMPLETED_ORDERS',
}

/** Outcome of an item before a decision, from `/api/order/ro-line/status/`. */
export const UNDECIDED = 10

/** The lines that were not received yet. */
export const listOutstanding = (lines: readonly ReturnLine[]): readonly ReturnLine[] =>
  lines.filter(({ received_date }) => received_date === null)

/** The received lines without an outcome. */
export const listUndecided = (lines: readonly ReturnLine[]): readonly ReturnLine[] =>
  lines.filter(({ received_date, outcome }) => received_date !== null && outcome === UNDECIDED)
