import { roles } from '../../../kit/request/caller.ts'
import type { OrderKind } from '../order-kind.ts'
import { salesOrderExtraLine } from '../so-extra-line/so-extra-line.table.ts'
import { salesOrderLine } from '../so-line/so-line.table.ts'
import { salesOrder } from './so.table.ts'
import { SO_STATUS, SO_STATUS_CHOICES } from './so-status.ts'

/** Orders of parts from customers. */
export const SALES_ORDER: OrderKind = {
  name: 'sales order',
  model: 'salesorder',
  path: '/api/order/so/',
  access: roles('sales_order'),
  table: salesOrder,
  lines: { table: salesOrderLine, price: 'sale_price', copied: ['part', 'sale_price', 'sale_price_currency', 'discount'] },
  extraLines: salesOrderExtraLine,
  company: 'customer',
  settings: 'SALESORDER',
  states: {
    table: 'SalesOrderStatus',
    choices: SO_STATUS_CHOICES,
    open: [SO_STATUS.PENDING.key, SO_STATUS.IN_PROGRESS.key, SO_STATUS.ON_HOLD.key],
    complete: SO_STATUS.SHIPPED.key,
    completedOn: 'shipment_date',
  },
  words: {
    target: 'the goods should be delivered',
    completed: 'were shipped in full',
    copied: 'has been allocated or shipped',
    states: '10 pending, 15 in progress, 20 shipped, 25 on hold, 40 cancelled',
    open: 'pending, in progress or on hold',
  },
}
