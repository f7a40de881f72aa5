import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { quantize } from '../../../kit/values/decimal.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { orderErrors } from '../order-errors.ts'
import { allocate, lockOpenOrder } from '../so-allocation/allocate.ts'
import { salesOrderLine } from '../so-line/so-line.table.ts'
import { allowOverAllocation, shipmentInput } from './allocation-input.ts'
import { SALES_ORDER } from './so-kind.ts'

/** The most entries of one request. */
const MAX_ITEMS = 10_000

const item = {
  line_item: input.reference(() => salesOrderLine, {
    required: true,
    options: { model: 'salesorderlineitem', api_url: '/api/order/so-line/' },
    label: 'Stock Item',
    help: 'The line of this order for which it is allocated. It needs a part.',
  }),
  stock_item: input.reference(() => stockItem, {
    required: true,
    options: { model: 'stockitem', api_url: '/api/stock/' },
    label: 'Stock Item',
    help: 'The stock item from which it is allocated: in stock, of the part of the line or a variant of it.',
  }),
  quantity: input.quantity({
    round: false,
    required: true,
    help: 'How much of it, above zero, in units of the part; 1 of an item with a serial number.',
  }),
}

/** See the reference description of orders and stock, section 2. */
export const allocateSalesOrder = action({
  method: 'POST',
  path: '/api/order/so/{id}/allocate/',
  summary: 'Put stock by for lines of a sales order',
  description:
    'Puts stock by for lines of an open order, to leave with one of its shipments: all that the request names, or nothing. What is put by is not in the way of other orders: never more than there is of an item.',
  refuses: {
    invalid:
      'An entry does not fit, which `items` says at its place: it is of another order, not in stock, more than is free, or more than the line lacks without `allow_over_allocation`; or the shipment has left or is of another order.',
    wrong_state: 'The order is neither pending nor in progress.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { items: [{ line_item: 3, stock_item: 43, quantity: 1 }], shipment: 3 } },
  access: SALES_ORDER.access,
  body: {
    items: input.list(input.object(item), {
      required: true,
      max: MAX_ITEMS,
      help: 'What is allocated, up to 10,000 entries; several for a line that takes from several items.',
    }),
    shipment: shipmentInput,
    allow_over_allocation: allowOverAllocation,
  },
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        line_item: Type.Integer(),
        stock_item: Type.Integer(),
        quantity: Type.String({ format: 'decimal', description: 'In units of the part.' }),
      }),
    ),
    shipment: Type.Integer(),
    allow_over_allocation: Type.Boolean(),
  }),
  async run(request) {
    const { items, shipment, allow_over_allocation } = request.body
    await lockOpenOrder(request)
    if (items.length === 0) throw invalidObject(orderErrors.allocation_items_required)
    await allocate(request, {
      shipment,
      wanted: items,
      allowOverAllocation: allow_over_allocation,
      refusal: (errors) => invalid({ items: [...errors] }),
    })
    return {
      items: items.map((entry) => ({ ...entry, quantity: quantize(entry.quantity, 5) })),
      shipment,
      allow_over_allocation,
    }
  },
})
