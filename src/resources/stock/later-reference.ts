import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import type { Field } from '../../kit/definition/field.ts'
import * as f from '../../kit/definition/field.ts'
import { type Filter, readKey, unknownReference } from '../../kit/definition/filter.ts'
import { type Errors, FieldError, texts } from '../../kit/request/errors.ts'
import { stockItem } from './stock-item.table.ts'

/**
 * A reference to an object of a kind that the service does not keep yet, such as a build order: its number is shown, kept
 * and filtered by, as an import left it, and a new one cannot be written.
 */
export const laterReference = (
  column: PgColumn,
  { model, address, label, help }: { model: string; address: string; label: string; help: string },
): Field => ({
  ...f.ref(column, {
    model,
    address,
    label,
    help: `${help} It is kept as an import left it: null may be written, another one not yet.`,
    readonly: true,
  }),
  input: {
    schema: Type.Union([Type.Integer(), Type.Null()]),
    options: { type: 'related field', model, api_url: address, filters: {} },
    required: false,
    nullable: true,
    emptyIsNull: true,
    read(value) {
      const pk = typeof value === 'string' && /^\d{1,20}$/.test(value) ? Number(value) : value
      if (typeof pk !== 'number' || !Number.isInteger(pk)) throw new FieldError(texts.referenceType(value))
      return pk
    },
  },
  filter: laterFilter(column),
})

/** Only an object that some stock item refers to is known to exist. */
const laterFilter = (column: PgColumn): Filter => ({
  kind: 'custom',
  names: { [column.name]: 'Stock that refers to the object with this key, as an import left it.' },
  read(query) {
    const name = column.name
    const pk = readKey(query[name] ?? '')
    if (pk === undefined) throw unknownReference(name)
    const condition = { sql: `{${name}} = {@value}::integer`, values: [pk] }
    return { name, table: stockItem, column: name, pk, negative: false, ignore: false, condition }
  },
})

const LATER = ['build', 'consumed_by'] as const

/** Refuses new references to objects of kinds that the service does not keep yet. */
export function checkLaterReferences(
  values: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
  errors: Errors,
): void {
  for (const name of LATER) {
    const value = values[name]
    if (value !== undefined && value !== null && value !== before?.[name]) errors[name] = [texts.reference(value)]
  }
}
