import { roles } from '../../../kit/request/caller.ts'
import type { OrderKind } from '../order-kind.ts'
import { purchaseOrderExtraLine } from '../po-extra-line/po-extra-line.table.ts'
import { purchaseOrderLine } from '../po-line/po-line.table.ts'
import { purchaseOrder } from './po.table.ts'
import { PO_STATUS, PO_STATUS_CHOICES } from './po-status.ts'

/** Orders of parts from a supplier. */
export const PURCHASE_ORDER: OrderKind = {
  name: 'purchase order',
  model: 'purchaseorder',
  path: '/api/order/po/',
  access: roles('purchase_order'),
  table: purchaseOrder,
  lines: {
    table: purchaseOrderLine,
    price: 'purchase_price',
    copied: ['part', 'purchase_price', 'purchase_price_currency', 'discount', 'destination'],
  },
  extraLines: purchaseOrderExtraLine,
  company: 'supplier',
  settings: 'PURCHASEORDER',
  states: {
    table: 'PurchaseOrderStatus',
    choices: PO_STATUS_CHOICES,
    open: [PO_STATUS.PENDING.key, PO_STATUS.PLACED.key, PO_STATUS.ON_HOLD.key],
    complete: PO_STATUS.COMPLETE.key,
    completedOn: 'complete_date',
  },
  words: {
    target: 'the goods are expected',
    completed: 'were received in full',
    copied: 'has been received',
    states: '10 pending, 20 placed, 25 on hold, 30 complete, 40 cancelled',
    open: 'pending, placed or on hold',
  },
}
