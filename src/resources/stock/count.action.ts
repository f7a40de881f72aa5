import { toJsonNumber } from '../../kit/values/decimal.ts'
import { adjustmentAction } from './movement/adjustment.ts'
import { setQuantity } from './movement/locked-items.ts'
import { acceptOnly } from './movement/serialized-items.ts'
import { stockErrors } from './stock-errors.ts'

export const countStock = adjustmentAction({
  name: 'count',
  path: '/api/stock/count/',
  summary: 'Count stock items',
  description:
    'Sets the quantity of each item to the counted quantity, and records the day (`stocktake_date`) and the caller. With `location`, the items move there. An item with a serial number can only be counted as 1; one that is missing gets the status Lost instead. For a count below the quantity allocated to orders, `release_allocations` says what to release: `true` for the newest allocations, as far as needed, or a list of allocations in the order of release, as named in `below_allocated` (`sales-12`, `build-7`). Released quantities are in `released` of the entry, in the history of the item, and in `/api/stock/released/` for its order; the accounts responsible for the order are notified. Existing clients do not send it: the newest are released.',
  errors: {
    invalid:
      'No item is named, or an item does not exist; an item with a serial number is counted as anything but 1; or a count is below the allocated quantity and `release_allocations` does not say what to release (`below_allocated`, with the allocations).',
  },
  serialized: acceptOnly('1', stockErrors.counted_serialized_item_is_one),
  canReleaseAllocations: true,
  canMove: true,
  example: {
    body: {
      items: [
        { pk: 22, quantity: 34 },
        { pk: 103, quantity: 38 },
      ],
      notes: 'Monthly count, battery locker',
    },
  },
  adjust(item, quantity, { caller }, location) {
    const change = setQuantity(item, quantity)
    const isMoved = location !== undefined && location !== item.location
    if (isMoved) item.location = location
    item.stocktake_date = new Date().toISOString().slice(0, 10)
    item.stocktake_user = caller.pk
    return { type: 'STOCK_COUNT', change, deltas: { quantity: toJsonNumber(item.quantity), ...(isMoved ? { location } : {}) } }
  },
})
