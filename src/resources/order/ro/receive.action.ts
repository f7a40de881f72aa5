import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { locationInput } from '../../stock/location/location-input.ts'
import { historyNotes } from '../../stock/movement/adjustment.ts'
import { returnOrderLine } from '../ro-line/ro-line.table.ts'
import { receiveReturnedItems } from './receive-returned.ts'
import { RETURN_ORDER } from './ro-kind.ts'

/** Maximum number of lines per request. */
const MAX_ITEMS = 10_000

/** See docs/interface/orders.md#receiving-returns. */
export const receiveReturnOrder = action({
  method: 'POST',
  path: '/api/order/ro/{id}/receive/',
  summary: 'Receive items of a return order',
  description:
    'Receives the quantities of these lines: moves each to the location, splitting off a part of a larger item, quarantines it for inspection and removes its customer and sales order. The history of the item and the line record the receipt. Receives all lines or none; lines already received are skipped.',
  errors: {
    invalid:
      'A line belongs to another order, or its item was received with another order or is allocated to a sales order; `items` gives the error at its index. Or the order is not in progress, no line is named, or the location is structural.',
  },
  versioned: true,
  example: { params: { id: 1 }, body: { items: [{ item: 1 }], location: 17 } },
  access: RETURN_ORDER.access,
  body: {
    items: input.list(
      input.object({
        item: input.reference(() => returnOrderLine, {
          required: true,
          options: { model: 'returnorderlineitem', api_url: '/api/order/ro-line/' },
          label: 'Return order line item',
          help: 'The line of this order whose item was received.',
        }),
      }),
      { required: true, max: MAX_ITEMS, help: 'The lines, at least one and at most 10,000.' },
    ),
    location: locationInput('The destination of the items'),
    note: { ...historyNotes('Note'), api530: { metadata: { default: '' } } },
  },
  response: Type.Object({
    items: Type.Array(Type.Object({ item: Type.Integer() })),
    location: Type.Integer(),
    note: Type.Optional(Type.String()),
  }),
  async run(request) {
    const { items, location } = request.body
    await receiveReturnedItems(
      request,
      items.map(({ item }) => item),
      location,
      request.body.note,
    )
    return request.body
  },
})
