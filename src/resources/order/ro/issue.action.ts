import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { returnOrder } from './ro.resource.ts'
import { RETURN_ORDER } from './ro-kind.ts'
import { RO_STATUS } from './ro-status.ts'

export const issueReturnOrder = action({
  method: 'POST',
  path: '/api/order/ro/{id}/issue/',
  summary: 'Issue a return order',
  description:
    'Marks an order that is pending or on hold as in progress and sets its issue date to today (UTC), unless it was issued before it was put on hold. The order needs no lines.',
  errors: { wrong_state: 'The order is neither pending nor on hold.' },
  versioned: true,
  example: { params: { id: 2 } },
  access: RETURN_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, RETURN_ORDER, returnOrder, {
      from: [RO_STATUS.PENDING.key, RO_STATUS.ON_HOLD.key],
      to: RO_STATUS.IN_PROGRESS.key,
      event: 'issued',
      statusError: orderErrors.order_not_pending,
      datedBy: 'issue_date',
      allowsRepeat: true,
      notification: 'new',
    })
    return {}
  },
})
