import { isZero, subtract, toJsonNumber } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'
import { acceptOnly } from './movement/serialized-items.ts'
import { computeTakenQuantities, EXCESS_QUANTITY_HELP } from './movement/source-items.ts'
import { stockErrors } from './stock-errors.ts'

export const removeStock = adjustmentAction({
  name: 'remove',
  path: '/api/stock/remove/',
  summary: 'Remove stock',
  description: `Removes a quantity from each item. Removing 0 does nothing; nothing else can be removed from an item with a serial number. The response has the quantity that was actually removed: ${EXCESS_QUANTITY_HELP}`,
  errors: {
    invalid:
      'No item is named, an item does not exist, it has a serial number, or its quantity is less than the quantity to remove.',
  },
  example: {
    body: {
      items: [
        { pk: 3, quantity: 50 },
        { pk: 23, quantity: 1.5 },
      ],
      notes: 'Repair of Wren 4',
    },
  },
  serialized: acceptOnly('0', stockErrors.serialized_item_is_one),
  adjust(item, quantity) {
    if (isZero(quantity)) return undefined
    const change = setQuantity(item, subtract(item.quantity, quantity))
    return { type: 'STOCK_REMOVE', change, deltas: { removed: toJsonNumber(quantity), quantity: toJsonNumber(item.quantity) } }
  },
  computeQuantities: (context, items, entries) =>
    computeTakenQuantities(context, items, entries).map((quantity, index) => (items[index]?.serial ? '0' : quantity)),
})
