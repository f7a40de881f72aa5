import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { roles } from '../../../kit/request/caller.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { wrongState } from '../wrong-state.ts'
import { purchaseOrder } from './po.resource.ts'
import { PO_STATUS } from './po-status.ts'
import { recomputeTotals } from './recompute-totals.ts'

/** See decision 24. */
export const cancelPurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/cancel/',
  summary: 'Cancel an open purchase order',
  description: 'A pending or placed order is given up. What has been received stays in stock.',
  refuses: { wrong_state: 'The order is neither pending nor placed.' },
  versioned: true,
  example: { params: { id: 16 } },
  access: roles('purchase_order'),
  body: {},
  answer: Type.Object({}),
  async run(request) {
    const { tx, pk } = request
    const order = await lockRow(purchaseOrder, pk, request)
    if (order.status !== PO_STATUS.PENDING.key && order.status !== PO_STATUS.PLACED.key)
      throw wrongState(request, 'Order cannot be cancelled')
    await tx.query('update purchase_order set status = $2 where pk = $1', [pk, PO_STATUS.CANCELLED.key])
    await recomputeTotals(request, [pk])
    return {}
  },
})
