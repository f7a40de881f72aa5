import { isZero, jsonNumber, subtract } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'

/** POST /api/stock/remove/: less of each item. Removing more than there is leaves 0; removing 0 does nothing. */
export const removeStock = adjustmentAction('/api/stock/remove/', 'Remove from stock items', (item, quantity) => {
  if (isZero(quantity)) return undefined
  setQuantity(item, subtract(item.quantity, quantity))
  return { type: 'STOCK_REMOVE', deltas: { removed: jsonNumber(quantity), quantity: jsonNumber(item.quantity) } }
})
