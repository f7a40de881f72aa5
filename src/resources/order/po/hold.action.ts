import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { purchaseOrder } from './po.resource.ts'
import { PURCHASE_ORDER } from './po-kind.ts'
import { PO_STATUS } from './po-status.ts'

export const holdPurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/hold/',
  summary: 'Put a purchase order on hold',
  description:
    'Puts an order that is pending or placed on hold. Nothing is received and it cannot be completed until it is issued; it still counts as open, and can be changed.',
  errors: { wrong_state: 'The order is neither pending nor placed.' },
  versioned: true,
  example: { params: { id: 14 } },
  access: PURCHASE_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, PURCHASE_ORDER, purchaseOrder, {
      from: [PO_STATUS.PENDING.key, PO_STATUS.PLACED.key],
      to: PO_STATUS.ON_HOLD.key,
      event: 'hold',
      statusError: orderErrors.order_not_holdable,
      allowsRepeat: true,
      notification: 'held',
    })
    return {}
  },
})
