import { decimal, integer, optional } from '../../../kit/definition/input.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { Problem } from '../../../kit/request/problem.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import { stockErrors } from '../stock-errors.ts'
import type { LockedItem } from './locked-items.ts'

/** An expected number, with all its digits: a value that is not representable is not rounded to one that is. */
export const expectedNumber = (help: string) => optional(decimal({ digits: 60, places: 30, form: 'number', help }))

/** Expectations that a body entry can state for its stock item. */
export const expectedFields = {
  expected_quantity: expectedNumber(
    'The expected current quantity, in units of its part. If the quantity differs, nothing is done. Empty to skip the check.',
  ),
  expected_location: optional(
    integer({
      nullable: true,
      help: 'The expected current location, empty for none. If the location differs, nothing is done.',
    }),
  ),
}

export type Expectations = { expected_quantity?: Decimal; expected_location?: number | null }

/** Description of status 412 where entries state expectations. */
export const NOT_AS_EXPECTED = 'An entry expects another quantity or location: `items` gives the actual values at its index.'

/**
 * Compares the expectations of entries with their locked items, before anything is changed.
 * @throws Problem 412 that names every entry whose expectation differs, with the actual values
 */
export function requireExpected(items: readonly LockedItem[], entries: readonly Expectations[]): void {
  rejectUnexpected(
    entries.map(({ expected_quantity, expected_location }, index): Errors => {
      const { quantity, location } = items[index] as LockedItem
      return {
        ...(expected_quantity !== undefined &&
          compare(expected_quantity, quantity) !== 0 && {
            expected_quantity: [
              stockErrors.quantity_not_as_expected({ found: normalize(quantity), expected: normalize(expected_quantity) }),
            ],
          }),
        ...(expected_location !== undefined &&
          expected_location !== location && {
            expected_location: [stockErrors.location_not_as_expected({ found: location, expected: expected_location })],
          }),
      }
    }),
  )
}

/** @throws Problem 412 if an entry has errors */
export function rejectUnexpected(errors: readonly Errors[]): void {
  if (errors.some((entry) => Object.keys(entry).length > 0)) throw new Problem('expectation_failed', { items: errors })
}
