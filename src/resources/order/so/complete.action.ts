import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { storeStatus } from '../change-status.ts'
import { findStatusError } from '../on-hold.ts'
import { orderErrors } from '../order-errors.ts'
import { releaseAllocations } from '../so-allocation/release-allocations.ts'
import { salesOrder } from './so.resource.ts'
import { SALES_ORDER } from './so-kind.ts'
import { SO_STATUS } from './so-status.ts'

/** No sales order completes by itself, so existing clients cannot repeat it (docs/decisions.md#repeated-actions). */
export const completeSalesOrder = action({
  method: 'POST',
  path: '/api/order/so/{id}/complete/',
  summary: 'Complete an open sales order',
  description:
    'Marks an order that is pending or in progress as shipped and sets its shipment date to today (UTC). If goods are still to be shipped, that requires `accept_incomplete`; lines without a part do not count. Releases stock allocated to it without a shipment.',
  errors: { invalid: 'The order has no lines, is on hold or not open, or has a shipment that has not been shipped.' },
  versioned: true,
  example: { params: { id: 3 }, body: { accept_incomplete: true } },
  access: SALES_ORDER.access,
  body: {
    accept_incomplete: input.boolean({
      default: false,
      label: 'Accept Incomplete',
      help: 'Whether to complete an order that still has goods to ship.',
    }),
  },
  response: Type.Object({ accept_incomplete: Type.Boolean() }),
  async run(request) {
    const { tx, pk, body, caller } = request
    const order = await lockRow(salesOrder, pk, request)
    const empty = order.line_items === 0
    if (!body.accept_incomplete && (empty || (await isIncomplete(tx, pk))))
      throw invalid({ accept_incomplete: [orderErrors.order_lines_incomplete] })
    if (empty) throw invalidObject(orderErrors.order_without_parts)
    if (order.status === SO_STATUS.ON_HOLD.key || !SALES_ORDER.states.open.includes(order.status as number))
      throw invalidObject(findStatusError(order.status, orderErrors.order_not_open))
    if (await tx.first('select 1 from sales_order_shipment where "order" = $1 and shipment_date is null limit 1', [pk]))
      throw invalidObject(orderErrors.order_shipments_incomplete)
    await releaseAllocations(tx, pk)
    await tx.query('update sales_order set shipped_by = $2 where pk = $1', [pk, caller.pk])
    await storeStatus(request, SALES_ORDER, {
      to: SO_STATUS.SHIPPED.key,
      event: 'completed',
      datedBy: SALES_ORDER.states.completedOn,
    })
    return { accept_incomplete: body.accept_incomplete }
  },
})

/** Whether goods are still to be shipped. Nothing can be shipped for a line without a part, for example because its part was deleted. */
async function isIncomplete(tx: Tx, order: number): Promise<boolean> {
  const line = await tx.first(
    'select 1 from sales_order_line where "order" = $1 and part is not null and shipped < quantity limit 1',
    [order],
  )
  return line !== undefined
}
