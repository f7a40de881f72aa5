import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { roles } from '../../../kit/request/caller.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { acceptsAlreadySo, wrongState } from '../wrong-state.ts'
import { purchaseOrder } from './po.resource.ts'
import { PO_STATUS } from './po-status.ts'
import { recomputeTotals } from './recompute-totals.ts'

/** See decision 24; for an order that is placed already decision 48. */
export const issuePurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/issue/',
  summary: 'Place a pending purchase order',
  description: 'A pending order is placed with its supplier, and its issue date is today (UTC). It needs no lines.',
  refuses: { wrong_state: 'The order is not pending.' },
  versioned: true,
  example: { params: { id: 14 } },
  access: roles('purchase_order'),
  body: {},
  answer: Type.Object({}),
  async run(request) {
    const { tx, pk } = request
    const order = await lockRow(purchaseOrder, pk, request)
    if (order.status === PO_STATUS.PLACED.key && acceptsAlreadySo(request)) return {}
    if (order.status !== PO_STATUS.PENDING.key) throw wrongState(request, 'Only a pending order can be issued')
    await tx.query('update purchase_order set status = $2, issue_date = current_date where pk = $1', [pk, PO_STATUS.PLACED.key])
    await recomputeTotals(request, [pk])
    return {}
  },
})
