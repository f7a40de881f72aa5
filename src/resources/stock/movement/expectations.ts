import { decimal, integer, optional } from '../../../kit/definition/input.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { Problem } from '../../../kit/request/problem.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import { stockErrors } from '../stock-errors.ts'
import type { LockedItem } from './locked-items.ts'

/** A number that something is expected to be, with all its digits: one that cannot be is not rounded to one that can. */
export const expectedNumber = (help: string) => optional(decimal({ digits: 60, places: 30, form: 'number', help }))

/** What an entry of a body may expect of its stock item. */
export const expected = {
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

export type Expected = { expected_quantity?: Decimal; expected_location?: number | null }

/** What 412 means where entries expect something. */
export const NOT_AS_EXPECTED = 'An entry expects another quantity or location: `items` gives the actual values at its index.'

/**
 * Compares what entries expect with what was found of their locked items, before anything is changed.
 * @throws Problem 412 that names every entry that expects something else, with what was found
 */
export function requireExpected(items: readonly LockedItem[], entries: readonly Expected[]): void {
  requireAll(
    entries.map(({ expected_quantity, expected_location }, at): Errors => {
      const { quantity, location } = items[at] as LockedItem
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

/** @throws Problem 412 where something is wrong with an entry */
export function requireAll(errors: readonly Errors[]): void {
  if (errors.some((entry) => Object.keys(entry).length > 0)) throw new Problem('expectation_failed', { items: errors })
}
