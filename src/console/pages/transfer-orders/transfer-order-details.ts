import { ON_HOLD_STATUS, type Order, type OrderKind, type PartBrief, PENDING_STATUS, roundQuantity } from '../orders/order.ts'

/** A location nested in an order or an allocation. */
type LocationBrief = { pk: number; name: string; pathstring: string }

/** A transfer order, as returned by `/api/order/transfer-order/?take_from_detail=true&destination_detail=true`. */
export type TransferOrder = Order & {
  take_from: number | null
  take_from_detail: LocationBrief | null
  destination: number | null
  destination_detail: LocationBrief | null
  /** Whether completion uses the stock up instead of moving it. */
  consume: boolean
  issue_date: string | null
  complete_date: string | null
}

/** A line, as returned by `/api/order/transfer-order-line/?part_detail=true&etag=true`. Transferred quantities count as allocated, too. */
export type TransferLine = {
  pk: number
  etag?: string
  part: number | null
  part_detail: PartBrief | null
  quantity: number
  allocated: number
  transferred: number
  available_stock: number
  available_variant_stock: number
  reference: string
  notes: string
  line: string
  overdue: boolean
  target_date: string | null
}

/** Stock allocated to a line, or transferred for it. */
export type TransferAllocation = {
  pk: number
  item: number
  quantity: number
  serial: string | null
  part_detail: PartBrief | null
  location_detail: LocationBrief | null
}

/** Status of an issued order: stock can be allocated to it. */
export const ISSUED_STATUS = 20

/** Status of a complete order: its stock was moved or used up. */
export const COMPLETE_STATUS = 30

export const TRANSFER_ORDERS: OrderKind = {
  name: 'transfers',
  model: 'transfer-order',
  documentModel: 'transferorder',
  page: '/order/transfer-order/',
  role: 'transfer_order',
  ownFields: ['take_from', 'destination', 'consume'],
  statuses: {
    [PENDING_STATUS]: { label: 'orders.pending' },
    [ISSUED_STATUS]: { label: 'transfers.issued', tone: 'accent' },
    [ON_HOLD_STATUS]: { label: 'orders.on-hold', tone: 'warn' },
    [COMPLETE_STATUS]: { label: 'orders.complete', tone: 'good' },
    40: { label: 'orders.cancelled', tone: 'bad' },
  },
  issued: ISSUED_STATUS,
}

/** The quantity still to allocate to a line. A line without a part gets none. */
export const getShortage = ({ part, quantity, allocated, transferred }: TransferLine): number =>
  part === null ? 0 : Math.max(0, roundQuantity(quantity - Math.max(allocated, transferred)))

/** Whether a location is another one or in it; the paths are those of both. */
export const isWithin = (path: string | undefined, outerPath: string): boolean =>
  path !== undefined && (path === outerPath || path.startsWith(`${outerPath}/`))
