import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { transferOrder } from './transfer-order.resource.ts'
import { TRANSFER_ORDER } from './transfer-order-kind.ts'
import { TO_STATUS } from './transfer-order-status.ts'

export const issueTransferOrder = action({
  method: 'POST',
  path: '/api/order/transfer-order/{id}/issue/',
  summary: 'Issue a transfer order',
  description:
    'Issues an order that is pending or on hold, so that stock can be allocated to it, and sets its issue date to today (UTC). The order needs no lines.',
  errors: { wrong_state: 'The order is neither pending nor on hold.' },
  versioned: true,
  example: { params: { id: 2 } },
  access: TRANSFER_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, TRANSFER_ORDER, transferOrder, {
      from: [TO_STATUS.PENDING.key, TO_STATUS.ON_HOLD.key],
      to: TO_STATUS.ISSUED.key,
      event: 'issued',
      statusError: orderErrors.order_neither_pending_nor_on_hold,
      datedBy: 'issue_date',
      allowsRepeat: true,
      notification: 'new',
    })
    return {}
  },
})
