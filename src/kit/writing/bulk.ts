import type { Errors } from '../request/errors.ts'
import { invalid } from '../request/problem.ts'
import { isObject } from '../values/json.ts'

/** Which objects of a list are to be deleted: those of these keys, of which those whose fields have these values. */
export type Bulk = { items: readonly unknown[] | undefined; filters: Readonly<Record<string, unknown>> }

/** What one that names nothing is refused with. */
export const BULK_ITEM = 'Each item is the primary key of an object.'
export const bulkFilter = (name: string): string => `Objects cannot be chosen by "${name}" and this value.`

/** Reads the body of a DELETE on a list. @throws Problem 400 when it names nothing, or not as it should */
export function readBulk({ items, filters }: Record<string, unknown>): Bulk {
  const errors: Errors = {}
  const isEmpty = (given: unknown) =>
    given == null || given === '' || (typeof given === 'object' && Object.keys(given).length === 0)
  if (isEmpty(items) && isEmpty(filters))
    throw invalid({ non_field_errors: ['List of items or filters must be provided for bulk deletion'] })
  if (items != null && !Array.isArray(items)) errors.items = ["'items' must be supplied as a list object"]
  if (filters != null && !isObject(filters)) errors.filters = ["'filters' must be supplied as a dict object"]
  if (Object.keys(errors).length) throw invalid(errors)
  return { items: (items ?? undefined) as unknown[] | undefined, filters: (filters ?? {}) as Record<string, unknown> }
}
