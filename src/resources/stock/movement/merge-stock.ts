import { add, type Decimal, quantize, toExact, toJsonNumber, toPlainText } from '../../../kit/values/decimal.ts'
import { convert, type ExchangeRates } from '../../../kit/values/exchange-rates.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { ALLOCATED_COLUMNS } from '../allocated-quantities.ts'
import { stockErrors } from '../stock-errors.ts'
import { type LockedItem, setQuantity } from './locked-items.ts'
import type { HistoryEntry } from './stock-history.ts'

/** Returns why an item cannot be merged; undefined when it can. */
export function mergeProblem(item: LockedItem): ErrorMessage | undefined {
  if (item.serial) return stockErrors.merge_of_serialized_item
  if (item.sales_order !== null) return stockErrors.merge_of_item_in_sales_order
  if (item.belongs_to !== null) return stockErrors.merge_of_installed_item
  if (item.holds_items) return stockErrors.merge_of_item_with_contents
  if (item.customer !== null) return stockErrors.merge_of_customer_item
  if (item.consumed_by !== null) return stockErrors.merge_of_consumed_item
  if (item.is_returned) return stockErrors.merge_of_returned_item
  if (item.is_building) return stockErrors.merge_of_item_in_production
  return undefined
}

/**
 * Merges the other items into the first one and moves it to `location`; the others are to be deleted, and their allocations are moved to
 * the first one. The unit purchase price becomes the average over the quantities that have a price, in the first price's currency; amounts
 * without an exchange rate are left out. Returns the history entry of the surviving item.
 */
export function mergeItems(
  survivor: LockedItem,
  others: readonly LockedItem[],
  location: number,
  rates: ExchangeRates,
  notes: string | undefined,
): HistoryEntry {
  Object.assign(survivor, averagePrice([survivor, ...others], rates), { location })
  const change = setQuantity(
    survivor,
    others.reduce((sum, other) => add(sum, other.quantity), survivor.quantity),
  )
  survivor.pendingWrite = 'changed'
  for (const other of others) {
    for (const name of ALLOCATED_COLUMNS) survivor[name] = add(survivor[name], other[name])
    Object.assign(other, { pendingWrite: 'deleted', mergedInto: survivor })
  }
  const deltas = { location, quantity: toJsonNumber(survivor.quantity) }
  return { item: survivor.pk, type: 'MERGED_STOCK_ITEMS', change, deltas, notes }
}

function averagePrice(
  items: readonly LockedItem[],
  rates: ExchangeRates,
): Partial<Pick<LockedItem, 'purchase_price' | 'purchase_price_currency'>> {
  const priced = items.filter((item) => item.purchase_price !== null)
  const currency = priced[0]?.purchase_price_currency
  if (currency === undefined) return {}
  let quantity = toExact('0')
  let total = toExact('0')
  for (const item of priced) {
    const price = convert(item.purchase_price as Decimal, item.purchase_price_currency, currency, rates)
    if (price === null) continue
    quantity = quantity.plus(toExact(item.quantity))
    total = total.plus(toExact(price).times(toExact(item.quantity)))
  }
  if (quantity.isZero()) return {}
  return { purchase_price: quantize(toPlainText(total.div(quantity)), 6), purchase_price_currency: currency }
}
