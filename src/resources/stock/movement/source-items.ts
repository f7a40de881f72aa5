import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { compare, type Decimal, normalize, subtract } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { stockErrors } from '../stock-errors.ts'
import type { LockedItem } from './locked-items.ts'

/** Error for a quantity that exceeds the available stock, in units of the part. */
export const exceedsStockError = (available: Decimal): ErrorMessage =>
  stockErrors.quantity_exceeds_stock({ available: normalize(available) })

/** Description of excess quantities for the OpenAPI document. */
export const EXCESS_QUANTITY_HELP =
  'a quantity above the stock of an item is rejected on its `quantity`; in the wire form of existing clients the whole stock is taken instead.'

/**
 * Returns the quantity that each entry of a body takes from its item, in the same order; quantities taken by earlier entries from the same
 * item are no longer available. An excess quantity is a 400 on the `quantity` of each affected entry; for existing clients the available
 * quantity is taken (docs/decisions.md#more-than-is-in-stock).
 */
export function computeTakenQuantities(
  { config }: Pick<Services, 'config'>,
  items: readonly LockedItem[],
  entries: readonly { quantity: Decimal }[],
): Decimal[] {
  const remaining = new Map(items.map((item) => [item, item.quantity]))
  const errors: Errors[] = []
  const quantities = items.map((item, index) => {
    const { quantity } = entries[index] as { quantity: Decimal }
    const available = remaining.get(item) as Decimal
    const isExcess = compare(quantity, available) > 0
    errors.push(isExcess ? { quantity: [exceedsStockError(available)] } : {})
    remaining.set(item, isExcess ? '0' : subtract(available, quantity))
    return isExcess ? available : quantity
  })
  if (!config.wire.takesWhatIsThere && errors.some((entry) => 'quantity' in entry)) throw invalid({ items: errors })
  return quantities
}
