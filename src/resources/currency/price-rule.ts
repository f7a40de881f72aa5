import type { Write } from '../../kit/definition/resource.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'

/**
 * Refuses prices of a body that are below zero, each under its field. What may be: the price of an extra line, which is given back; and
 * that of a line of an order, but to existing clients (the table WIRE_FORM).
 */
export function refuseBelowZero(values: Write['values'], errors: Errors, ...fields: string[]): void {
  for (const field of fields) {
    const price = values[field] as Decimal | null | undefined
    if (price != null && compare(price, '0') < 0) errors[field] = [valueErrors.min_value({ min_value: 0 })]
  }
}
