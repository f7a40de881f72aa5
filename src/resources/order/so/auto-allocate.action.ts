import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { DONE_AT_ONCE, taskSchema } from '../../background-task/task-response.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { orderErrors } from '../order-errors.ts'
import { lockOpenOrder } from '../so-allocation/allocate.ts'
import { readLines } from '../so-allocation/allocation-rules.ts'
import { autoAllocate, type SERIALIZED_STOCK, type STOCK_ORDERS } from '../so-allocation/auto-allocate.ts'
import { salesOrderLine } from '../so-line/so-line.table.ts'
import { salesOrderShipment } from './shipment/shipment.table.ts'
import { SALES_ORDER } from './so-kind.ts'

/** Maximum number of lines per request. */
const MAX_LINES = 10_000

const ORDER_LABELS: Record<(typeof STOCK_ORDERS)[number], string> = {
  updated: 'Oldest stock first',
  '-updated': 'Newest stock first',
  quantity: 'Smallest quantity first',
  '-quantity': 'Largest quantity first',
  expiry_date: 'Soonest expiry date first',
}
const SERIALIZED_LABELS: Record<(typeof SERIALIZED_STOCK)[number], string> = {
  any: 'Any stock',
  serialized: 'Serialized stock only',
  unserialized: 'Unserialized stock only',
}
const toChoices =
  <Value extends string>(labels: Record<Value, string>) =>
  () =>
    Object.entries<string>(labels).map(([value, label]) => ({ value, label }))

const location = (label: string, help: string) =>
  input.reference(() => stockLocation, {
    nullable: true,
    default: null as never,
    options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    label,
    help,
  })

/** See docs/interface/orders.md#allocating-and-shipping. */
export const autoAllocateSalesOrder = action({
  method: 'POST',
  path: '/api/order/so/{id}/auto-allocate/',
  summary: 'Auto-allocate stock to a sales order',
  description:
    'Allocates available stock to lines of an open order that are short of it: stock of the part or of its variants, only with the status OK, and no expired stock while STOCK_ALLOW_EXPIRED_SALE is off. Lines with a choice of several items are skipped unless they are interchangeable.',
  errors: {
    invalid: 'A line or the shipment belongs to another order, or the shipment was shipped.',
    wrong_state: 'The order is neither pending nor in progress.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { serialized_stock: 'unserialized', stock_sort_by: 'expiry_date' } },
  access: SALES_ORDER.access,
  body: {
    location: location('Source Location', 'Allocate only stock in this location and below it; empty for all stock.'),
    exclude_location: location('Exclude Location', 'Stock in this location and below it is not allocated; empty for none.'),
    shipment: input.reference(() => salesOrderShipment, {
      nullable: true,
      default: null as never,
      options: { model: 'salesordershipment', api_url: '/api/order/so/shipment/' },
      help: 'The shipment of this order to ship it with, one that has not been shipped; empty to select it later.',
    }),
    interchangeable: input.boolean({
      default: true,
      label: 'Interchangeable Stock',
      help: 'Whether stock items are interchangeable; otherwise lines with several suitable items are skipped.',
    }),
    stock_sort_by: input.choice<(typeof STOCK_ORDERS)[number]>(toChoices(ORDER_LABELS), {
      default: 'updated',
      label: 'Stock Priority',
      help: 'Which stock is allocated first.',
    }),
    serialized_stock: input.choice<(typeof SERIALIZED_STOCK)[number]>(toChoices(SERIALIZED_LABELS), {
      default: 'any',
      label: 'Serialized Stock',
      help: 'Whether to allocate stock with serial numbers, without them, or both.',
    }),
    line_items: input.list(
      input.reference(() => salesOrderLine, {
        options: { model: 'salesorderlineitem', api_url: '/api/order/so-line/' },
        help: 'A line of this order.',
      }),
      { default: [], max: MAX_LINES, label: 'Line Items', help: 'The lines to allocate to; empty for all lines of the order.' },
    ),
  },
  status: 200,
  response: taskSchema,
  async run(request) {
    const { tx, body, pk } = request
    const { shipment, line_items, ...options } = body
    await lockOpenOrder(request)
    if (shipment !== null) {
      const row = await tx.first<{ order: number; shipment_date: string | null }>(
        'select "order", shipment_date from sales_order_shipment where pk = $1',
        [shipment],
      )
      if (row?.shipment_date) throw invalid({ shipment: [orderErrors.shipment_shipped] })
      if (row?.order !== pk) throw invalid({ shipment: [orderErrors.shipment_of_other_order] })
    }
    const ofOrder = await tx.query<{ pk: number }>('select pk from sales_order_line where "order" = $1 order by pk', [pk])
    const known = new Set(ofOrder.map((line) => line.pk))
    const others = line_items.filter((line) => !known.has(line))
    if (others.length > 0) throw invalid({ line_items: [orderErrors.line_of_other_order] })
    const lines = await readLines(tx, line_items.length > 0 ? line_items : [...known])
    await autoAllocate(
      request,
      [...lines.values()].toSorted((one, other) => one.pk - other.pk),
      { ...options, shipment },
    )
    return DONE_AT_ONCE
  },
})
