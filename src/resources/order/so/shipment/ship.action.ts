import { Type } from 'typebox'
import { action } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { taskResponse } from '../../../background-task/task-response.ts'
import { SALES_ORDER } from '../so-kind.ts'
import { shipAllocations } from './ship-allocations.ts'

const day = (help: string, label: string) => input.optional(input.date({ nullable: true, label, help }))
const text = (label: string, help: string) => input.optional(input.text({ max: 100, blank: true, label, help }))

/** See docs/interface/orders.md#allocating-and-shipping. */
export const shipShipment = action({
  method: 'POST',
  path: '/api/order/so/shipment/{id}/ship/',
  summary: 'Ship a shipment of a sales order',
  description:
    'Ships the stock allocated to the shipment: it belongs to the customer, has no location any more, and refers to the order. An allocated part of a larger item is split off as a new item. The history of each item records it, and the lines count it as shipped. The status of the order does not change.',
  errors: {
    invalid:
      'The shipment was already shipped, is not checked while SALESORDER_SHIPMENT_REQUIRES_CHECK is on, nothing is allocated to it, or some of its stock is no longer in stock.',
    wrong_state: 'The order is neither pending nor in progress.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { tracking_number: '00340434161095' } },
  access: SALES_ORDER.access,
  body: {
    shipment_date: day('The shipping date, by default today (UTC).', 'Shipment Date'),
    delivery_date: day('The delivery date; empty if unknown.', 'Delivery Date'),
    tracking_number: text('Tracking Number', 'The tracking number of the carrier; omit it to leave it unchanged.'),
    invoice_number: text('Invoice Number', 'The invoice number; omit it to leave it unchanged.'),
    link: input.optional(
      input.url({
        max: 200,
        blank: true,
        api530: { metadata: { max_length: 2_000 } },
        help: 'A link to an external page; omit it to leave it unchanged.',
      }),
    ),
  },
  api530: taskResponse,
  response: Type.Object({
    shipment_date: Type.String({ format: 'date' }),
    delivery_date: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    tracking_number: Type.String(),
    invoice_number: Type.String(),
    link: Type.String(),
  }),
  run: (request) => shipAllocations(request, request.body),
})
