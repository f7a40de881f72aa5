import { add, isZero, toJsonNumber } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'
import { acceptOnly } from './movement/serialized-items.ts'
import { stockErrors } from './stock-errors.ts'

export const addStock = adjustmentAction({
  name: 'add',
  path: '/api/stock/add/',
  summary: 'Add stock',
  description: 'Adds a quantity to each item. Adding 0 does nothing; nothing else can be added to an item with a serial number.',
  example: { body: { items: [{ pk: 10, quantity: 12 }], notes: 'Found behind the drawer' } },
  serialized: acceptOnly('0', stockErrors.serialized_item_is_one),
  adjust(item, quantity) {
    if (isZero(quantity)) return undefined
    const change = setQuantity(item, add(item.quantity, quantity))
    return { type: 'STOCK_ADD', change, deltas: { added: toJsonNumber(quantity), quantity: toJsonNumber(item.quantity) } }
  },
})
