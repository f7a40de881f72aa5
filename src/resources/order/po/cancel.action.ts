import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { roles } from '../../../kit/request/caller.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { purchaseOrder } from './po.resource.ts'
import { PURCHASE_ORDER } from './po-kind.ts'
import { PO_STATUS } from './po-status.ts'

export const cancelPurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/cancel/',
  summary: 'Cancel an open purchase order',
  description: 'Cancels an order that is pending, placed or on hold. Received stock remains in stock.',
  errors: { wrong_state: 'The order is neither pending, placed nor on hold.' },
  versioned: true,
  example: { params: { id: 16 } },
  access: roles('purchase_order'),
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, PURCHASE_ORDER, purchaseOrder, {
      from: PURCHASE_ORDER.states.open,
      to: PO_STATUS.CANCELLED.key,
      event: 'cancelled',
      statusError: orderErrors.order_not_cancellable,
      notification: 'canceled',
    })
    return {}
  },
})
