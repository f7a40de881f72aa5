import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { salesOrder } from './so.resource.ts'
import { SALES_ORDER } from './so-kind.ts'
import { SO_STATUS } from './so-status.ts'

export const issueSalesOrder = action({
  method: 'POST',
  path: '/api/order/so/{id}/issue/',
  summary: 'Issue a sales order',
  description:
    'Marks an order that is pending or on hold as in progress and sets its issue date to today (UTC). The order needs no lines.',
  errors: { wrong_state: 'The order is neither pending nor on hold.' },
  versioned: true,
  example: { params: { id: 3 } },
  access: SALES_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, SALES_ORDER, salesOrder, {
      from: [SO_STATUS.PENDING.key, SO_STATUS.ON_HOLD.key],
      to: SO_STATUS.IN_PROGRESS.key,
      event: 'issued',
      statusError: orderErrors.order_not_pending,
      datedBy: 'issue_date',
      allowsRepeat: true,
    })
    return {}
  },
})
