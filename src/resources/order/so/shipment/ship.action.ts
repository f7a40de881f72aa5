import { Type } from 'typebox'
import { action } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { SALES_ORDER } from '../so-kind.ts'
import { shipAllocations } from './ship-allocations.ts'

const day = (help: string, label: string) => input.optional(input.date({ nullable: true, label, help }))
const text = (label: string, help: string) => input.optional(input.text({ max: 100, blank: true, label, help }))

/** See the reference description of orders and stock, section 2. */
export const shipShipment = action({
  method: 'POST',
  path: '/api/order/so/shipment/{id}/ship/',
  summary: 'Ship a shipment of a sales order',
  description:
    'What is allocated to the shipment leaves: it belongs to the customer and is in no location any more, with the order as where it went. Of a larger item what is allocated is split off as an item of its own. The history of each says so, and the lines count it as shipped. The state of the order does not change.',
  refuses: {
    invalid: 'The shipment has left already, nothing is allocated to it, or something of it is not in stock any more.',
    wrong_state: 'The order is neither pending nor in progress.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { tracking_number: '00340434161095' } },
  access: SALES_ORDER.access,
  body: {
    shipment_date: day('The day on which it leaves, by default today (UTC).', 'Shipment Date'),
    delivery_date: day('The day on which it comes to the customer; empty while that is not known.', 'Delivery Date'),
    tracking_number: text(
      'Tracking Number',
      'The number by which the carrier finds it; where nothing is given, it stays as it is.',
    ),
    invoice_number: text('Invoice Number', 'The number of the invoice for it; where nothing is given, it stays as it is.'),
    link: input.optional(
      input.url({ max: 200, blank: true, help: 'Where to read more about it; where nothing is given, it stays as it is.' }),
    ),
  },
  answer: Type.Object({
    shipment_date: Type.String({ format: 'date' }),
    delivery_date: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    tracking_number: Type.String(),
    invoice_number: Type.String(),
    link: Type.String(),
  }),
  run: (request) => shipAllocations(request, request.body),
})
