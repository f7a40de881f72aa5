import { isZero, jsonNumber, subtract } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'
import { takenFrom } from './movement/taken-from.ts'

/**
 * POST /api/stock/remove/: less of each item; removing 0 does nothing. The answer says how much went: nothing of an item with
 * a serial number, and where existing clients ask for more than there is, what was there (decision 47).
 */
export const removeStock = adjustmentAction(
  '/api/stock/remove/',
  'Remove from stock items',
  (item, quantity) => {
    if (isZero(quantity)) return undefined
    setQuantity(item, subtract(item.quantity, quantity))
    return { type: 'STOCK_REMOVE', deltas: { removed: jsonNumber(quantity), quantity: jsonNumber(item.quantity) } }
  },
  (context, items, entries) => takenFrom(context, items, entries).map((quantity, at) => (items[at]?.serial ? '0' : quantity)),
)
