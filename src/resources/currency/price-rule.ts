import type { Write } from '../../kit/definition/resource.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'

/**
 * Rejects negative prices in a body, each on its field. Extra lines may have negative prices, for discounts; so may order lines, except from
 * existing clients (docs/configuration.md#wire-form).
 */
export function rejectNegativePrices(values: Write['values'], errors: Errors, ...fields: string[]): void {
  for (const field of fields) {
    const price = values[field] as Decimal | null | undefined
    if (price != null && compare(price, '0') < 0) errors[field] = [valueErrors.min_value({ min_value: 0 })]
  }
}
