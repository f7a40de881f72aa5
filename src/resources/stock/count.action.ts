import { jsonNumber } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'

export const countStock = adjustmentAction({
  name: 'count',
  path: '/api/stock/count/',
  summary: 'Count stock items',
  description: 'Makes what was counted the quantity of each item, and notes the day (`stocktake_date`) and the caller.',
  example: {
    body: {
      items: [
        { pk: 22, quantity: 34 },
        { pk: 103, quantity: 38 },
      ],
      notes: 'Monthly count, battery locker',
    },
  },
  adjust(item, quantity, { caller }) {
    const change = setQuantity(item, quantity)
    item.stocktake_date = new Date().toISOString().slice(0, 10)
    item.stocktake_user = caller.pk
    return { type: 'STOCK_COUNT', change, deltas: { quantity: jsonNumber(item.quantity) } }
  },
})
