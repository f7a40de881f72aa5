import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { returnOrder } from './ro.resource.ts'
import { RETURN_ORDER } from './ro-kind.ts'
import { RO_STATUS } from './ro-status.ts'

export const holdReturnOrder = action({
  method: 'POST',
  path: '/api/order/ro/{id}/hold/',
  summary: 'Put a return order on hold',
  description:
    'Puts an order that is pending or in progress on hold. Nothing is received and it cannot be completed until it is issued; it still counts as open, and can be changed.',
  errors: { wrong_state: 'The order is neither pending nor in progress.' },
  versioned: true,
  example: { params: { id: 2 } },
  access: RETURN_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, RETURN_ORDER, returnOrder, {
      from: [RO_STATUS.PENDING.key, RO_STATUS.IN_PROGRESS.key],
      to: RO_STATUS.ON_HOLD.key,
      event: 'hold',
      statusError: orderErrors.order_not_holdable,
      allowsRepeat: true,
      notification: 'held',
    })
    return {}
  },
})
