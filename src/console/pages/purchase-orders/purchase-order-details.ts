import {
  type CompanyBrief,
  ON_HOLD_STATUS,
  type Order,
  type OrderKind,
  type PartBrief,
  PENDING_STATUS,
  roundQuantity,
} from '../orders/order.ts'

/** A purchase order, as returned by `/api/order/po/`. */
export type PurchaseOrder = Order & {
  supplier: number | null
  supplier_detail: CompanyBrief | null
  supplier_reference: string
  issue_date: string | null
  complete_date: string | null
}

/** A line of it, as returned by `/api/order/po-line/?part_detail=true&etag=true`. Quantities are packs. */
export type PurchaseLine = {
  pk: number
  etag?: string
  part: number | null
  part_detail: PartBrief | null
  supplier_part_detail: {
    pk: number
    SKU: string
    packaging: string | null
    pack_quantity_native: number
  } | null
  quantity: number
  received: number
  reference: string
  notes: string
  overdue: boolean
  purchase_price: string | null
  purchase_price_currency: string
  discount: number
  line: string
  total_price: number
  destination: number | null
  destination_detail: { pk: number; name: string; pathstring: string } | null
  target_date: string | null
}

/** Status of an issued order, from `/api/order/po/status/`. */
export const ISSUED_STATUS = 20

export const PURCHASE_ORDERS: OrderKind = {
  name: 'purchase',
  model: 'po',
  documentModel: 'purchaseorder',
  page: '/order/purchase-order/',
  role: 'purchase_order',
  company: 'supplier',
  statuses: {
    [PENDING_STATUS]: { label: 'orders.pending' },
    [ISSUED_STATUS]: { label: 'orders.placed', tone: 'accent' },
    [ON_HOLD_STATUS]: { label: 'orders.on-hold', tone: 'warn' },
    30: { label: 'orders.complete', tone: 'good' },
    40: { label: 'orders.cancelled', tone: 'bad' },
    50: { label: 'orders.lost', tone: 'warn' },
    60: { label: 'orders.returned', tone: 'warn' },
  },
  issued: ISSUED_STATUS,
  editSetting: 'PURCHASEORDER_EDIT_COMPLETED_ORDERS',
}

/** Number of base units in one pack. */
export const getUnitsPerPack = ({ supplier_part_detail }: PurchaseLine): number => supplier_part_detail?.pack_quantity_native ?? 1

/** The outstanding number of packs. */
export const getOutstanding = ({ quantity, received }: PurchaseLine): number => Math.max(0, roundQuantity(quantity - received))
