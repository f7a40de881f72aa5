import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { transferOrder } from './transfer-order.resource.ts'
import { TRANSFER_ORDER } from './transfer-order-kind.ts'
import { TO_STATUS } from './transfer-order-status.ts'

export const holdTransferOrder = action({
  method: 'POST',
  path: '/api/order/transfer-order/{id}/hold/',
  summary: 'Put a transfer order on hold',
  description: 'Puts an order on hold that is pending or issued. Stock that is allocated to it stays allocated.',
  errors: { wrong_state: 'The order is neither pending nor issued.' },
  versioned: true,
  example: { params: { id: 3 } },
  access: TRANSFER_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, TRANSFER_ORDER, transferOrder, {
      from: [TO_STATUS.PENDING.key, TO_STATUS.ISSUED.key],
      to: TO_STATUS.ON_HOLD.key,
      event: 'hold',
      statusError: orderErrors.order_cannot_be_held,
      allowsRepeat: true,
    })
    return {}
  },
})
