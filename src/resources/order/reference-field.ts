import * as f from '../../kit/definition/field.ts'
import type { Input } from '../../kit/definition/input.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { checkReference } from '../../settings/reference-pattern.ts'
import { getReferencePattern } from './next-reference.ts'
import { referenceFilter } from './order-filters.ts'
import type { ReferencedOrder } from './order-kind.ts'

/** The reference of an order. A new one must match the pattern of the settings; an unchanged one stays valid when the pattern changes. */
export function referenceField(kind: ReferencedOrder): f.Field {
  const field = f.column(kind.table.reference, {
    required: true,
    search: true,
    filter: referenceFilter,
    help: 'The unique reference of the order. The next one is suggested.',
  })
  const text = field.input as Input<string>
  return {
    ...field,
    input: {
      ...text,
      read(value, reading, fail) {
        const reference = text.read(value, reading, fail)
        const problem =
          reference === reading.before?.reference ? null : checkReference(getReferencePattern(reading.services, kind), reference)
        if (problem !== null) throw new FieldError(problem)
        return reference
      },
    },
  }
}
