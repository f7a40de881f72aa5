import { type Query, readBoolean, TRUE_WORDS } from '../definition/filter.ts'
import { date, datetime, decimal, type Input, integer } from '../definition/input.ts'
import { type Errors, FieldError } from '../request/errors.ts'
import { invalid } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Services } from '../services/services.ts'
import { quote } from '../sql/sql.ts'
import { isObject } from '../values/json.ts'
import type { ErrorMessage } from '../values/message.ts'

/** The objects of a list to delete: those with these keys, narrowed to those whose fields have these values. */
export type BulkSelection = { items: readonly unknown[] | undefined; filters: Readonly<Record<string, unknown>> }

/** The error of an item that is not a key. */
export const INVALID_BULK_ITEM = requestErrors.invalid_bulk_item
export const invalidBulkFilter = (filter: string): ErrorMessage => requestErrors.invalid_bulk_filter({ filter })

/** Reads the body of a DELETE on a list. @throws Problem 400 if it selects nothing or is invalid */
export function readBulkSelection({ items, filters }: Record<string, unknown>): BulkSelection {
  const errors: Errors = {}
  const isEmpty = (selection: unknown) =>
    selection == null || selection === '' || (typeof selection === 'object' && Object.keys(selection).length === 0)
  if (isEmpty(items) && isEmpty(filters)) throw invalid({ non_field_errors: [requestErrors.bulk_selection_required] })
  if (items != null && !Array.isArray(items)) errors.items = [requestErrors.bulk_items_not_a_list]
  if (filters != null && !isObject(filters)) errors.filters = [requestErrors.bulk_filters_not_an_object]
  if (Object.keys(errors).length) throw invalid(errors)
  return { items: (items ?? undefined) as unknown[] | undefined, filters: (filters ?? {}) as Record<string, unknown> }
}

/** Rejects `all=true`, by which a client of API 530 could select every object of a list. @throws Problem 400 */
export function rejectAll({ all = '' }: Query): void {
  if (TRUE_WORDS.has(all.toLowerCase())) throw invalid({ non_field_errors: [requestErrors.bulk_all_not_supported] })
}

/** Maximum number of objects that one request changes. */
const MAX_BULK_ITEMS = 1_000

/** Reads the keys of a list of objects, each once. @throws Problem 400 if there are none, too many, or invalid ones */
export function readBulkKeys(items: unknown, maximum = MAX_BULK_ITEMS): number[] {
  if (items != null && !Array.isArray(items)) throw invalid({ non_field_errors: [requestErrors.bulk_items_not_a_list] })
  if (!items?.length) throw invalid({ non_field_errors: [requestErrors.bulk_items_required] })
  // only a key names an object: `true` is invalid, although it could be read as 1
  const keys = items.map((item) => (typeof item === 'string' && /^\d{1,10}$/.test(item) ? Number(item) : item))
  if (!keys.every((key): key is number => Number.isInteger(key) && key >= 0 && key <= 2_147_483_647))
    throw invalid({ non_field_errors: [requestErrors.invalid_bulk_item] })
  if (keys.length > maximum) throw invalid({ non_field_errors: [requestErrors.max_bulk_items({ max_items: maximum })] })
  return [...new Set(keys)]
}

/** By column type, the input that reads a value and the type in which it is compared. Times are compared to the second. */
const COLUMN_INPUTS: readonly { type: RegExp; input: Input; as: string; expression?: (column: string) => string }[] = [
  { type: /^(integer|bigint|smallint)$/, input: integer(), as: 'integer' },
  { type: /^numeric/, input: decimal({ digits: 40, places: 20, form: 'number' }), as: 'numeric' },
  { type: /^date$/, input: date(), as: 'date' },
  { type: /^timestamp/, input: datetime(), as: 'timestamptz', expression: (column) => `date_trunc('second', ${column})` },
]

/**
 * Returns the condition that a column has a value, with `$1` for the returned `value`. A text column accepts any text, even one that no row
 * has.
 * @param type of the column, in SQL
 * @throws Problem 400 for a value that such a column never holds, naming the filter
 */
export function buildBulkCondition(
  name: string,
  type: string,
  value: unknown,
  services: Services,
): { sql: string; value: unknown } {
  const rejection = invalid({ filters: [invalidBulkFilter(name)] })
  const column = quote(name)
  if (type === 'boolean') {
    const expected = typeof value === 'object' ? undefined : readBoolean(String(value))
    if (expected === undefined) throw rejection
    return { sql: `${column} = $1::boolean`, value: expected }
  }
  const kind = COLUMN_INPUTS.find((entry) => entry.type.test(type))
  if (!kind) {
    if (typeof value !== 'string' && typeof value !== 'number') throw rejection
    return { sql: `${column}::text = $1::text`, value: String(value) }
  }
  try {
    const expected = kind.input.read(value, { references: [], services }, () => {})
    return { sql: `${kind.expression?.(column) ?? column} = $1::${kind.as}`, value: expected }
  } catch (error) {
    throw error instanceof FieldError ? rejection : error
  }
}
