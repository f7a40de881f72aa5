import { jsonNumber } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'

/** POST /api/stock/count/: what was counted is how much there is. Notes the day and who counted. */
export const countStock = adjustmentAction('/api/stock/count/', 'Count stock items', (item, quantity, { caller }) => {
  setQuantity(item, quantity)
  item.stocktake_date = new Date().toISOString().slice(0, 10)
  item.stocktake_user = caller.pk
  return { type: 'STOCK_COUNT', deltas: { quantity: jsonNumber(item.quantity) } }
})
