import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { returnOrder } from './ro.resource.ts'
import { RETURN_ORDER } from './ro-kind.ts'
import { RO_STATUS } from './ro-status.ts'

export const cancelReturnOrder = action({
  method: 'POST',
  path: '/api/order/ro/{id}/cancel/',
  summary: 'Cancel an open return order',
  description: 'Cancels an order that is pending, in progress or on hold. Received items do not change.',
  errors: { wrong_state: 'The order is neither pending, in progress nor on hold.' },
  versioned: true,
  example: { params: { id: 3 } },
  access: RETURN_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, RETURN_ORDER, returnOrder, {
      from: RETURN_ORDER.states.open,
      to: RO_STATUS.CANCELLED.key,
      event: 'cancelled',
      statusError: orderErrors.order_not_cancellable,
      notification: 'canceled',
    })
    return {}
  },
})
