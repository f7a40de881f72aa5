import { getTableColumns } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { hashBarcode, toBarcodeColumns } from '../../resources/barcode/barcode-hash.ts'
import { type DumpRecord, InvalidRecord, isEmptyValue } from '../reading/record.ts'
import { kinds, type RecordKind } from './kinds.ts'
import type { Context, Presets } from './presets.ts'
import { checkValue, findValueRules } from './value-rules.ts'

/** Columns that the service computes itself, so that values of a dump are ignored. */
const computedColumns = new Set([
  'opening_quantity',
  'quantity_change',
  'path',
  'level',
  'pathstring',
  'name_path',
  'line_items',
  'allocated_to_sales_orders',
  'allocated_to_build_orders',
  'allocated_to_transfer_orders',
  'completed_lines',
])

const columnsByKind = new Map<RecordKind, PgColumn[]>(
  kinds.map((kind) => [
    kind,
    Object.values(getTableColumns(kind.table)).filter(
      ({ name, generated }) => !computedColumns.has(name) && generated === undefined && !kind.deferredColumns?.includes(name),
    ),
  ]),
)

/** Columns of a kind whose values are taken from its records. */
export const listColumns = (kind: RecordKind): PgColumn[] => columnsByKind.get(kind) ?? []

const rulesByColumn = new Map([...columnsByKind.values()].flat().map((column) => [column, findValueRules(column)]))

/** The name that a dump has for a column. */
export const getFieldName = ({ fieldNames }: RecordKind, column: string): string => fieldNames?.[column] ?? column

/** The names of the columns of a kind, and of its fields that differ from them, in its newest release. */
export const listFieldNames = (kind: RecordKind): Set<string> =>
  new Set([...Object.values(getTableColumns(kind.table)).map(({ name }) => name), ...Object.values(kind.fieldNames ?? {})])

const knownFieldsByKind = new Map<RecordKind, ReadonlySet<string>>(
  kinds.map((kind) => [kind, new Set([...listFieldNames(kind), ...Object.values(kind.fieldNamesOfOtherReleases ?? {})])]),
)

/** Lists the fields of a record that are not loaded although they have a value other than null, empty, false or zero. */
export function listUnknownFields(kind: RecordKind, { fields }: DumpRecord): string[] {
  const known = knownFieldsByKind.get(kind)
  return Object.entries(fields).flatMap(([name, value]) => (known?.has(name) || isNothing(value) ? [] : [name]))
}

const isNothing = (value: unknown): boolean => isEmptyValue(value) || value === false || Number(value) === 0

/** The presets of a kind, including those that many kinds share: the default currency, and the hash of a barcode. */
export async function buildPresets(kind: RecordKind, context: Context): Promise<Presets> {
  const names = listColumns(kind)
    .filter(isCurrency)
    .map(({ name }) => name)
  const currency = () => context.settings.get('INVENTREE_DEFAULT_CURRENCY')
  return {
    ...Object.fromEntries(names.map((name) => [name, currency])),
    barcode_hash: ({ barcode_data }) => (barcode_data ? hashBarcode(String(barcode_data)) : undefined),
    barcode_key: ({ barcode_data }) => toBarcodeColumns(String(barcode_data ?? '')).barcode_key,
    ...(await kind.presets?.(context)),
  }
}

/**
 * Builds the row of a record, without columns for which the dump has no value and the database has a default, and lists the rules that the
 * record breaks. An invalid column is present without a value. There are no values if its kind cannot tell them.
 */
export function buildRow(
  kind: RecordKind,
  record: DumpRecord,
  context: Context,
  presets: Presets,
): { values: Record<string, unknown> | undefined; errors: string[] } {
  const { relations } = context
  const errors: string[] = []
  const collectErrors = <Value>(work: () => Value): Value | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof InvalidRecord)) throw error
      errors.push(error.message)
    }
  }
  collectErrors(() => kind.check?.(record, context))
  const checkErrorCount = errors.length
  const kindValues = collectErrors(() => kind.values?.(record))
  // without these values, the others would break rules that the record does not break
  if (errors.length > checkErrorCount) return { values: undefined, errors }
  const fieldValues: Record<string, unknown> = { ...record.fields, ...kindValues, pk: record.pk }
  const tags = relations.getTagNames(record)
  if (tags.length > 0) fieldValues.tags = tags
  const row: Record<string, unknown> = {}
  for (const column of listColumns(kind)) {
    const { name } = column
    const earlierErrorCount = errors.length
    const value = collectErrors(() => {
      const value = isOmitted(column, fieldValues[name]) ? presets[name]?.(row, record.fields) : fieldValues[name]
      const isNamedKey = Array.isArray(value) && column.getSQLType() === 'integer'
      const resolved = isNamedKey ? relations.resolveKey(name, value) : value
      checkValue(rulesByColumn.get(column) ?? [], getFieldName(kind, name), resolved, context)
      return resolved
    })
    if (value !== undefined || errors.length > earlierErrorCount) row[name] = value
  }
  return { values: row, errors }
}

/** Whether a column always has a currency. InvenTree accepts an empty one as the default currency, too. */
const isCurrency = ({ name, notNull }: PgColumn): boolean => notNull && (name === 'currency' || name.endsWith('_currency'))

function isOmitted(column: PgColumn, value: unknown): boolean {
  if (value === undefined) return true
  if (value === null) return column.notNull && (column.hasDefault || isCurrency(column))
  return value === '' && isCurrency(column)
}
