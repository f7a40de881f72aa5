import { add, isZero, jsonNumber } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'

/** POST /api/stock/add/: more of each item. Adding 0 does nothing. */
export const addStock = adjustmentAction('/api/stock/add/', 'Add to stock items', (item, quantity) => {
  if (isZero(quantity)) return undefined
  setQuantity(item, add(item.quantity, quantity))
  return { type: 'STOCK_ADD', deltas: { added: jsonNumber(quantity), quantity: jsonNumber(item.quantity) } }
})
