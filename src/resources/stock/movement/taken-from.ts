import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { compare, type Decimal, normalize, subtract } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { stockErrors } from '../stock-errors.ts'
import type { LockedItem } from './locked-items.ts'

/** What is wrong with a quantity that is more than there is, in units of the part. */
export const exceeds = (there: Decimal): ErrorMessage => stockErrors.quantity_exceeds_stock({ available: normalize(there) })

/** What `takenFrom` does, in words for the document. */
export const MORE_THAN_THERE_IS =
  'a quantity above the stock of an item is rejected on its `quantity`; in the wire form of existing clients the whole stock is taken instead.'

/**
 * How much each entry of a body takes of its item, at the same place; what earlier entries take of the same item is not there
 * any more. More than there is: 400 on the `quantity` of each such entry; for existing clients what is there is taken
 * (decision 47, the table WIRE_FORM).
 */
export function takenFrom(
  { config }: Pick<Services, 'config'>,
  items: readonly LockedItem[],
  entries: readonly { quantity: Decimal }[],
): Decimal[] {
  const left = new Map(items.map((item) => [item, item.quantity]))
  const errors: Errors[] = []
  const taken = items.map((item, at) => {
    const { quantity } = entries[at] as { quantity: Decimal }
    const there = left.get(item) as Decimal
    const isMore = compare(quantity, there) > 0
    errors.push(isMore ? { quantity: [exceeds(there)] } : {})
    left.set(item, isMore ? '0' : subtract(there, quantity))
    return isMore ? there : quantity
  })
  if (config.wireForm === 'specification' && errors.some((entry) => 'quantity' in entry)) throw invalid({ items: errors })
  return taken
}
