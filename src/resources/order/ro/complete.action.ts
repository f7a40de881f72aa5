import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { changeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { returnOrder } from './ro.resource.ts'
import { RETURN_ORDER } from './ro-kind.ts'
import { RO_STATUS } from './ro-status.ts'

export const completeReturnOrder = action({
  method: 'POST',
  path: '/api/order/ro/{id}/complete/',
  summary: 'Complete a return order that is in progress',
  description: 'Completes the order and sets its completion date to today (UTC). Items may still be outstanding.',
  errors: { wrong_state: 'The order is not in progress.' },
  versioned: true,
  example: { params: { id: 4 } },
  access: RETURN_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeStatus(request, RETURN_ORDER, returnOrder, {
      from: [RO_STATUS.IN_PROGRESS.key],
      to: RO_STATUS.COMPLETE.key,
      event: 'completed',
      statusError: orderErrors.order_not_in_progress,
      datedBy: RETURN_ORDER.states.completedOn,
      allowsRepeat: true,
    })
    return {}
  },
})
