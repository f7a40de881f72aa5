import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { releaseAllocations } from '../transfer-order-allocation/release-allocations.ts'
import { transferOrder } from './transfer-order.resource.ts'
import { TRANSFER_ORDER } from './transfer-order-kind.ts'
import { TO_STATUS } from './transfer-order-status.ts'

export const cancelTransferOrder = action({
  method: 'POST',
  path: '/api/order/transfer-order/{id}/cancel/',
  summary: 'Cancel an open transfer order',
  description: 'Cancels an order that is pending, issued or on hold, and releases the stock allocated to it.',
  errors: { wrong_state: 'The order is complete or cancelled.' },
  versioned: true,
  example: { params: { id: 4 } },
  access: TRANSFER_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    const { tx, pk } = request
    await changeStatus(request, TRANSFER_ORDER, transferOrder, {
      from: TRANSFER_ORDER.states.open,
      to: TO_STATUS.CANCELLED.key,
      event: 'cancelled',
      statusError: orderErrors.order_not_cancellable,
      notification: 'canceled',
      beforeChange: () => releaseAllocations(tx, pk),
    })
    return {}
  },
})
