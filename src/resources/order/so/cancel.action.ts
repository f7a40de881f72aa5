import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { releaseAllocations } from '../so-allocation/release-allocations.ts'
import { salesOrder } from './so.resource.ts'
import { SALES_ORDER } from './so-kind.ts'
import { SO_STATUS } from './so-status.ts'

export const cancelSalesOrder = action({
  method: 'POST',
  path: '/api/order/so/{id}/cancel/',
  summary: 'Cancel an open sales order',
  description:
    'Cancels an order that is pending, in progress or on hold, and releases the stock allocated to it. Shipped stock remains with the customer.',
  errors: { wrong_state: 'The order is neither pending, in progress nor on hold.' },
  versioned: true,
  example: { params: { id: 4 } },
  access: SALES_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    const { tx, pk } = request
    await changeStatus(request, SALES_ORDER, salesOrder, {
      from: SALES_ORDER.states.open,
      to: SO_STATUS.CANCELLED.key,
      event: 'cancelled',
      statusError: orderErrors.order_not_cancellable,
      notification: 'canceled',
      beforeChange: () => releaseAllocations(tx, pk),
    })
    return {}
  },
})
