import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { locationInput } from './location/location-input.ts'
import { historyNotes } from './movement/adjustment.ts'
import { lockItem, requireLocation } from './movement/one-item.ts'
import { isAway, returnItems } from './return-items.ts'
import { stockErrors } from './stock-errors.ts'

export const returnStock = action({
  method: 'POST',
  path: '/api/stock/{id}/return/',
  summary: 'Return a stock item to stock',
  description:
    'Returns an item from a customer, or from the item that contains it, to a location, with an unchanged status. If the item that it was split from still exists, with the same supplier part and status, and neither has a serial number, the returned item is merged into it and deleted. The history records it.',
  errors: { invalid: 'The location does not exist or is structural; or the item is neither with a customer nor installed.' },
  example: { params: { id: 53 }, body: { location: 17, notes: 'Came back: one key sticks' } },
  access: roles('stock'),
  versioned: true,
  body: {
    location: locationInput('The destination'),
    notes: historyNotes(),
  },
  response: Type.Object({ location: Type.Integer(), notes: Type.Optional(Type.String()) }),
  async run(context) {
    const { tx, pk, body } = context
    const { location, notes } = body
    const [row] = await tx.query<{ parent: number | null }>('select parent from stock_item where pk = $1', [pk])
    const { item, locked } = await lockItem(context, row?.parent ? [row.parent] : [])
    await requireLocation(tx, location)
    if (!isAway(item)) throw invalidObject(stockErrors.stock_item_not_away)
    const parent = item.parent === null ? undefined : locked.get(item.parent)
    await returnItems(context, [{ item, quantity: item.quantity, parent }], { location, notes })
    return body
  },
})
