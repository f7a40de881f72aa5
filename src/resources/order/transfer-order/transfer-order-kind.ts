import { roles } from '../../../kit/request/caller.ts'
import type { HeaderKind } from '../order-kind.ts'
import { transferOrderLine } from '../transfer-order-line/transfer-order-line.table.ts'
import { transferOrder } from './transfer-order.table.ts'
import { TO_STATUS, TO_STATUS_CHOICES } from './transfer-order-status.ts'

/** Orders that move stock to another location, or use it up. */
export const TRANSFER_ORDER: HeaderKind = {
  name: 'transfer order',
  model: 'transferorder',
  path: '/api/order/transfer-order/',
  access: roles('transfer_order'),
  table: transferOrder,
  lines: { table: transferOrderLine, copied: ['part'] },
  settings: 'TRANSFERORDER',
  states: {
    table: 'TransferOrderStatus',
    choices: TO_STATUS_CHOICES,
    open: [TO_STATUS.PENDING.key, TO_STATUS.ISSUED.key, TO_STATUS.ON_HOLD.key],
    complete: TO_STATUS.COMPLETE.key,
    completedOn: 'complete_date',
    hasPath: false,
  },
  words: {
    target: 'the stock is to be moved',
    completed: 'were transferred in full',
    copied: 'has been transferred',
    states: '10 pending, 20 issued, 25 on hold, 30 complete, 40 cancelled',
    open: 'pending, issued or on hold',
  },
}
