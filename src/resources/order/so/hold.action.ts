import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { salesOrder } from './so.resource.ts'
import { SALES_ORDER } from './so-kind.ts'
import { SO_STATUS } from './so-status.ts'

export const holdSalesOrder = action({
  method: 'POST',
  path: '/api/order/so/{id}/hold/',
  summary: 'Put a sales order on hold',
  description:
    'Puts an order that is pending or in progress on hold. Nothing is shipped and it cannot be completed until it is issued; it still counts as open, and can be changed. Stock that is allocated to it remains allocated.',
  errors: { wrong_state: 'The order is neither pending nor in progress.' },
  versioned: true,
  example: { params: { id: 4 } },
  access: SALES_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, SALES_ORDER, salesOrder, {
      from: [SO_STATUS.PENDING.key, SO_STATUS.IN_PROGRESS.key],
      to: SO_STATUS.ON_HOLD.key,
      event: 'onhold',
      statusError: orderErrors.order_not_holdable,
      allowsRepeat: true,
      notification: 'held',
    })
    return {}
  },
})
