import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { quantize } from '../../../kit/values/decimal.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { checkExpiryInput } from '../../stock/usable-stock.ts'
import { orderErrors } from '../order-errors.ts'
import { allocate, lockOpenOrder } from '../so-allocation/allocate.ts'
import { salesOrderLine } from '../so-line/so-line.table.ts'
import { allowOverAllocation, requireShipment, shipmentInput } from './allocation-input.ts'
import { SALES_ORDER } from './so-kind.ts'

/** Maximum number of entries per request. */
const MAX_ITEMS = 10_000

const item = {
  line_item: input.reference(() => salesOrderLine, {
    required: true,
    options: { model: 'salesorderlineitem', api_url: '/api/order/so-line/' },
    label: 'Stock Item',
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

const ALLOCATED = Type.Object({
  items: Type.Array(
    Type.Object({
      line_item: Type.Integer(),
      stock_item: Type.Integer(),
      quantity: Type.String({ format: 'decimal', description: 'In units of the part.' }),
    }),
  ),
  shipment: orNull(Type.Integer()),
  allow_over_allocation: Type.Boolean(),
})

/** See docs/interface/orders.md#allocating-and-shipping. */
export const allocateSalesOrder = action({
  method: 'POST',
  path: '/api/order/so/{id}/allocate/',
  summary: 'Allocate stock to a sales order',
  description:
    'Allocates stock to lines of an open order, for one of its shipments: all entries of the request or none. The allocations of all orders together cannot exceed the quantity of an item.',
  errors: {
    invalid:
      'An entry is invalid, and `items` gives the error at its index: it belongs to another order, is not in stock, exceeds the available quantity, exceeds the shortage of the line without `allow_over_allocation`, or is expired with `check_expiry`. Or the shipment was shipped or belongs to another order.',
    wrong_state: 'The order is neither pending nor in progress.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { items: [{ line_item: 3, stock_item: 43, quantity: 1 }], shipment: 3 } },
  access: SALES_ORDER.access,
  body: {
    items: input.list(input.object(item), {
      required: true,
      max: MAX_ITEMS,
      help: 'The allocations, up to 10,000 entries. A line can have entries for several items.',
    }),
    shipment: shipmentInput,
    allow_over_allocation: allowOverAllocation,
    check_expiry: checkExpiryInput('sale'),
  },
  api530: { response: ALLOCATED, defaults: { shipment: null } },
  response: ALLOCATED,
  async run(request) {
    const { items, shipment, allow_over_allocation, check_expiry } = request.body
    requireShipment(request, shipment)
    await lockOpenOrder(request)
    if (items.length === 0) throw invalidObject(orderErrors.allocation_items_required)
    await allocate(request, {
      shipment,
      entries: items,
      allowOverAllocation: allow_over_allocation,
      checkExpiry: check_expiry,
      toProblem: (errors) => invalid({ items: [...errors] }),
    })
    return {
      items: items.map((entry) => ({ ...entry, quantity: quantize(entry.quantity, 5) })),
      shipment,
      allow_over_allocation,
    }
  },
})
