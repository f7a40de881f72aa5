import { roles } from '../../../kit/request/caller.ts'
import type { OrderKind } from '../order-kind.ts'
import { returnOrderExtraLine } from '../ro-extra-line/ro-extra-line.table.ts'
import { returnOrderLine } from '../ro-line/ro-line.table.ts'
import { returnOrder } from './ro.table.ts'
import { RO_STATUS, RO_STATUS_CHOICES } from './ro-status.ts'

/** Returns from customers. */
export const RETURN_ORDER: OrderKind = {
  name: 'return order',
  model: 'returnorder',
  path: '/api/order/ro/',
  access: roles('return_order'),
  table: returnOrder,
  lines: { table: returnOrderLine, price: 'price', copied: ['item', 'price', 'price_currency', 'discount'] },
  extraLines: returnOrderExtraLine,
  company: 'customer',
  settings: 'RETURNORDER',
  states: {
    table: 'ReturnOrderStatus',
    choices: RO_STATUS_CHOICES,
    open: [RO_STATUS.PENDING.key, RO_STATUS.IN_PROGRESS.key, RO_STATUS.ON_HOLD.key],
    complete: RO_STATUS.COMPLETE.key,
    completedOn: 'complete_date',
  },
  words: {
    target: 'it should be settled',
    completed: 'have an outcome for the item',
    copied: 'has been received',
    states: '10 pending, 20 in progress, 25 on hold, 30 complete, 40 cancelled',
    open: 'pending, in progress or on hold',
  },
}
