import { Type } from 'typebox'
import type { Input } from '../../../kit/definition/input.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { stockErrors } from '../stock-errors.ts'

/** Maximum number of allocations that one entry lists. */
const MAX_LISTED_ALLOCATIONS = 1_000

/** An allocation as clients name it: its kind and key, or its key alone. */
const ALLOCATION = /^((sales|build|transfer)-)?[1-9]\d{0,9}$/

/**
 * Allocations that a count below the allocated quantity releases: `true` for all that are needed, newest first, or a list of allocations,
 * in this order.
 */
export type ReleaseAllocations = true | readonly string[]

/** The field of a count entry for the allocations to release. */
export const releaseAllocations: Input<ReleaseAllocations | undefined> = {
  schema: Type.Union([
    Type.Boolean(),
    Type.Array(Type.Union([Type.Integer(), Type.String({ maxLength: 20 })]), { maxItems: MAX_LISTED_ALLOCATIONS }),
  ]),
  options: { type: 'field' },
  required: false,
  nullable: false,
  label: 'Release allocations',
  help: 'The allocations to release if the count is below the allocated quantity: the newest as far as needed, or the listed ones.',
  read(value) {
    if (value === true || value === false) return value || undefined
    if (!Array.isArray(value)) throw new FieldError(stockErrors.release_choice_expected)
    if (value.length > MAX_LISTED_ALLOCATIONS) throw new FieldError(valueErrors.max_items({ max_items: MAX_LISTED_ALLOCATIONS }))
    const names = value.map((entry) => (typeof entry === 'number' || typeof entry === 'string' ? String(entry) : ''))
    const invalidName = names.find((name) => !ALLOCATION.test(name))
    if (invalidName !== undefined) throw new FieldError(stockErrors.release_choice_expected)
    return names
  },
}
