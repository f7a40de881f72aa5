import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { quantize } from '../../../kit/values/decimal.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { orderErrors } from '../order-errors.ts'
import { allowOverAllocation } from '../so/allocation-input.ts'
import { allocate, lockIssuedOrder } from '../transfer-order-allocation/allocate.ts'
import { transferOrderLine } from '../transfer-order-line/transfer-order-line.table.ts'
import { TRANSFER_ORDER } from './transfer-order-kind.ts'

/** Maximum number of entries per request. */
const MAX_ITEMS = 10_000

const item = {
  line_item: input.reference(() => transferOrderLine, {
    required: true,
    options: { model: 'transferorderlineitem', api_url: '/api/order/transfer-order-line/' },
    label: 'Line Item',
    help: 'The line of this order to allocate to. It needs a part.',
  }),
  stock_item: input.reference(() => stockItem, {
    required: true,
    options: { model: 'stockitem', api_url: '/api/stock/' },
    label: 'Stock Item',
    help: 'The stock item to allocate from: in stock, of the part of the line or a variant of it.',
  }),
  quantity: input.quantity({
    round: false,
    required: true,
    help: 'The quantity, above zero, in units of the part; 1 for an item with a serial number.',
  }),
}

/** See docs/interface/orders.md#transfer-orders. */
export const allocateTransferOrder = action({
  method: 'POST',
  path: '/api/order/transfer-order/{id}/allocate/',
  summary: 'Allocate stock to a transfer order',
  description:
    'Allocates stock to lines of an issued order: all entries of the request or none. The allocations of all orders together cannot exceed the quantity of an item.',
  errors: {
    invalid:
      'An entry is invalid, and `items` gives the error at its index: its line belongs to another order, its item is not in stock or of another part, or it exceeds the available quantity, or the shortage of the line without `allow_over_allocation`.',
    wrong_state: 'The order is not issued.',
  },
  versioned: true,
  example: { params: { id: 1 }, body: { items: [{ line_item: 1, stock_item: 14, quantity: 2 }] } },
  access: TRANSFER_ORDER.access,
  body: {
    items: input.list(input.object(item), {
      required: true,
      max: MAX_ITEMS,
      help: 'The allocations, up to 10,000 entries. A line can have entries for several items.',
    }),
    allow_over_allocation: allowOverAllocation,
  },
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        line_item: Type.Integer(),
        stock_item: Type.Integer(),
        quantity: Type.String({ format: 'decimal', description: 'In units of the part.' }),
      }),
    ),
    allow_over_allocation: Type.Boolean(),
  }),
  async run(request) {
    const { items, allow_over_allocation } = request.body
    await lockIssuedOrder(request)
    if (items.length === 0) throw invalidObject(orderErrors.allocation_items_required)
    await allocate(request, {
      entries: items,
      allowOverAllocation: allow_over_allocation,
      toProblem: (errors) => invalid({ items: [...errors] }),
    })
    return { items: items.map((entry) => ({ ...entry, quantity: quantize(entry.quantity, 5) })), allow_over_allocation }
  },
})
