import { type CompanyBrief, type Order, type OrderKind, type PartBrief, PENDING } from '../orders/order.ts'

/** A return order, as `/api/order/ro/` has it. */
export type ReturnOrder = Order & {
  customer: number | null
  customer_detail: CompanyBrief | null
  customer_reference: string
}

/** A line: an item that comes back, as `/api/order/ro-line/?part_detail=true&item_detail=true&etag=true` has it. */
export type ReturnLine = {
  pk: number
  etag?: string
  item: number
  item_detail: { pk: number; serial: string | null } | null
  part_detail: PartBrief | null
  /** The day on which it came back; null before. */
  received_date: string | null
  outcome: number
  price: string | null
  price_currency: string
  reference: string
  notes: string
  target_date: string | null
}

/** The status of an order that was issued, of `/api/order/ro/status/`. */
export const IN_PROGRESS = 20

export const RETURN_ORDERS: OrderKind = {
  name: 'returns',
  model: 'ro',
  page: '/order/return-order/',
  role: 'return_order',
  company: 'customer',
  states: {
    [PENDING]: { word: 'orders.pending' },
    [IN_PROGRESS]: { word: 'returns.in-progress', tone: 'accent' },
    30: { word: 'orders.complete', tone: 'good' },
    40: { word: 'orders.cancelled', tone: 'bad' },
  },
  issued: IN_PROGRESS,
  editSetting: 'RETURNORDER_EDIT_COMPLETED_ORDERS',
}

/** What becomes of an item while nobody has said it, of `/api/order/ro-line/status/`. */
export const UNDECIDED = 10

/** Those that have not come back yet. */
export const outstanding = (lines: readonly ReturnLine[]): readonly ReturnLine[] =>
  lines.filter(({ received_date }) => received_date === null)

/** Those that have come back, and of which nobody has said what becomes. */
export const undecided = (lines: readonly ReturnLine[]): readonly ReturnLine[] =>
  lines.filter(({ received_date, outcome }) => received_date !== null && outcome === UNDECIDED)
