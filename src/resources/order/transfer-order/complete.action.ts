import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { requireLocation } from '../../stock/movement/one-item.ts'
import { storeStatus } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { transferAllocated } from './transfer-allocated.ts'
import { transferOrder } from './transfer-order.resource.ts'
import { TRANSFER_ORDER } from './transfer-order-kind.ts'
import { TO_STATUS } from './transfer-order-status.ts'

/** See docs/interface/orders.md#transfer-orders. */
export const completeTransferOrder = action({
  method: 'POST',
  path: '/api/order/transfer-order/{id}/complete/',
  summary: 'Complete an issued transfer order',
  description:
    'Moves the stock allocated to the order to its destination, or consumes it if the order says so, and completes the order. An allocated part of a larger item is split off as a new item; a unit with a serial number that is consumed stays on record as destroyed. The history of each item records it. If less is allocated to a line than its quantity, that requires `accept_incomplete_allocation`; lines without a part do not count.',
  errors: {
    invalid:
      'The order is not issued, less is allocated to a line than its quantity, the order has no destination or one that cannot hold stock, or some of its stock is no longer in stock.',
  },
  versioned: true,
  example: { params: { id: 5 }, body: { accept_incomplete_allocation: true } },
  access: TRANSFER_ORDER.access,
  body: {
    accept_incomplete_allocation: input.boolean({
      default: false,
      label: 'Accept Incomplete Allocation',
      help: 'Whether to complete an order that has less stock allocated than its lines say.',
    }),
  },
  response: Type.Object({ accept_incomplete_allocation: Type.Boolean() }),
  async run(request) {
    const { tx, pk, body } = request
    const order = await lockRow(transferOrder, pk, request)
    if (!body.accept_incomplete_allocation && order.status !== TO_STATUS.COMPLETE.key && (await isIncomplete(tx, pk)))
      throw invalid({ accept_incomplete_allocation: [orderErrors.transfer_allocation_incomplete] })
    if (order.status !== TO_STATUS.ISSUED.key) throw invalidObject(orderErrors.transfer_order_not_issued)
    const destination = order.consume === true ? null : (order.destination as number | null)
    if (order.consume !== true) {
      if (destination === null) throw invalid({ destination: [orderErrors.transfer_destination_required] })
      await requireLocation(tx, destination, 'destination')
    }
    await transferAllocated(request, destination)
    await storeStatus(request, TRANSFER_ORDER, {
      to: TO_STATUS.COMPLETE.key,
      event: 'completed',
      datedBy: TRANSFER_ORDER.states.completedOn,
    })
    return { accept_incomplete_allocation: body.accept_incomplete_allocation }
  },
})

/** Whether less is allocated to a line than its quantity. Nothing can be allocated to a line without a part, such as of a deleted one. */
async function isIncomplete(tx: Tx, order: number): Promise<boolean> {
  const line = await tx.first(
    `select 1 from transfer_order_line line where line."order" = $1 and line.part is not null and line.quantity > line.transferred
       + coalesce((select sum(quantity) from transfer_order_allocation where transfer_order_allocation.line = line.pk and is_open), 0) limit 1`,
    [order],
  )
  return line !== undefined
}
