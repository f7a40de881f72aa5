import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { roles } from '../../../kit/request/caller.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { purchaseOrder } from './po.resource.ts'
import { PURCHASE_ORDER } from './po-kind.ts'
import { PO_STATUS } from './po-status.ts'

export const issuePurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/issue/',
  summary: 'Issue a purchase order',
  description:
    'Marks an order that is pending or on hold as placed with its supplier and sets its issue date to today (UTC), unless it was issued before it was put on hold. The order needs no lines.',
  errors: { wrong_state: 'The order is neither pending nor on hold.' },
  versioned: true,
  example: { params: { id: 14 } },
  access: roles('purchase_order'),
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, PURCHASE_ORDER, purchaseOrder, {
      from: [PO_STATUS.PENDING.key, PO_STATUS.ON_HOLD.key],
      to: PO_STATUS.PLACED.key,
      event: 'placed',
      datedBy: 'issue_date',
      statusError: orderErrors.order_not_pending,
      allowsRepeat: true,
      notification: 'new',
    })
    return {}
  },
})
