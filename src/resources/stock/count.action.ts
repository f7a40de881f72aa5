import { jsonNumber } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'

export const countStock = adjustmentAction({
  name: 'count',
  path: '/api/stock/count/',
  summary: 'Count stock items',
  description:
    'Makes what was counted the quantity of each item, and notes the day (`stocktake_date`) and the caller. A count below what is allocated to orders says in `release_allocations` what to release: `true` for as much as needed of the newest allocations, or a list of allocations in the order in which they are released, as `below_allocated` names them (`sales-12`, `build-7`; the key alone where only one kind has it). What was released is in `released` of the entry, in the history of the item, and in `/api/stock/released/` for its order; those responsible for the order are notified. In the form of existing clients, who do not send it, the newest are released.',
  refuses: {
    invalid:
      'No item is named, or one does not exist; less was counted than is allocated to orders, and `release_allocations` does not say what to release (`below_allocated`, with the allocations).',
  },
  isObservation: true,
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
