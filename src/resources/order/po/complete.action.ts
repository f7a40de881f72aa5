import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { storeStatus } from '../change-status.ts'
import { findStatusError } from '../on-hold.ts'
import { orderErrors } from '../order-errors.ts'
import { acceptsRepeatedAction, wrongStateProblem } from '../status-error.ts'
import { purchaseOrder } from './po.resource.ts'
import { PURCHASE_ORDER } from './po-kind.ts'
import { PO_STATUS } from './po-status.ts'

export const completePurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/complete/',
  summary: 'Complete a placed purchase order',
  description:
    'Completes a placed order and sets its completion date to today (UTC). If goods are outstanding, or the order has no lines, that requires `accept_incomplete`; received quantities do not change. An order whose lines are all received in full completes automatically, unless the setting `PURCHASEORDER_AUTO_COMPLETE` is off.',
  errors: { wrong_state: 'The order is not placed.' },
  versioned: true,
  example: { params: { id: 9 }, body: { accept_incomplete: true } },
  access: roles('purchase_order'),
  body: {
    accept_incomplete: input.boolean({
      default: false,
      label: 'Accept Incomplete',
      help: 'Whether to complete an order that has outstanding goods or no lines.',
    }),
  },
  response: Type.Object({ accept_incomplete: Type.Boolean() }),
  async run(request) {
    const { pk, body } = request
    const order = await lockRow(purchaseOrder, pk, request)
    const response = { accept_incomplete: body.accept_incomplete }
    if (order.status === PO_STATUS.COMPLETE.key && acceptsRepeatedAction(request)) return response
    const isComplete = (order.line_items as number) > 0 && order.completed_lines === order.line_items
    if (!isComplete && !body.accept_incomplete) throw invalid({ accept_incomplete: [orderErrors.order_lines_incomplete] })
    if (order.status !== PO_STATUS.PLACED.key)
      throw wrongStateProblem(request, findStatusError(order.status, orderErrors.order_not_placed))
    await storeStatus(request, PURCHASE_ORDER, {
      to: PO_STATUS.COMPLETE.key,
      event: 'completed',
      datedBy: PURCHASE_ORDER.states.completedOn,
    })
    return response
  },
})
