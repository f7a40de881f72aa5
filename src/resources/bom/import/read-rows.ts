import * as input from '../../../kit/definition/input.ts'
import { type ErrorEntry, type FieldErrorJson, listMessages } from '../../../kit/request/errors.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { getWriteShape } from '../../../kit/writing/write.ts'
import { looksLikeDate } from '../../../spreadsheets/date-text.ts'
import { parseImportedNumbers } from '../../../spreadsheets/numbers.ts'
import { bomErrors } from '../bom-errors.ts'
import { bomItem } from '../bom-item.resource.ts'
import { checkComponentQuantity } from '../bom-rules.ts'
import { findLoops } from '../loops.ts'
import { IMPORT_FIELDS, omitEmptyCells, PART_COLUMNS } from './columns.ts'
import { countDesignators, joinReferences } from './designators.ts'
import { type Component, findComponents, type PartMatch } from './find-components.ts'
import { isNotPopulated } from './not-populated.ts'

type Cells = readonly (string | null)[]
type Data = Record<string, string | null>
type RowErrors = Record<string, ErrorMessage>

/** Reasons for skipping a row of a table without an error. */
export const SKIP_REASONS = ['not_populated', 'below_first_level', 'no_component'] as const
type SkipReason = (typeof SKIP_REASONS)[number]

/**
 * A component of a table: the cells of its first row, and the combined values of all its rows, by field. `part` is its key, `errors` are
 * its errors, by field.
 */
type BomRow<Row extends Cells> = {
  original: Row
  data: Record<string, unknown> & { part: number | null; errors: RowErrors }
  /** The same errors with their codes. */
  field_errors: FieldErrorJson[]
  row_numbers: number[]
  part_detail: Pick<PartMatch, 'pk' | 'name' | 'full_name' | 'IPN'> | null
}

type BomRows<Row extends Cells> = {
  rows: BomRow<Row>[]
  skipped: { row_number: number; reason: SkipReason; original: Row }[]
}

/** The rows of a table, and options for reading them. */
type RowsRequest<Row extends Cells> = {
  /** The field of each column; an empty string for none. */
  columns: readonly string[]
  rows: readonly Row[]
  /** Numbers to report for the rows; their positions, from 1, by default. */
  rowNumbers?: readonly number[]
  /** The assembly that would get the lines; without it, loops are not checked. */
  assembly?: number
  /** Decimal separator of the user's locale, if numbers may be written in local form. */
  decimalSign?: string
  /** Whether the table is from a workbook, whose decimal separator is a point. */
  isWorkbook?: boolean
}

type ReadRow<Row extends Cells> = { original: Row; data: Data; number: number; errors: RowErrors }

/** Reads the components that the rows of a table name, each once: quantities are added, and references joined. */
export async function readRows<Row extends Cells>(
  context: Services & { tx: Tx },
  request: RowsRequest<Row>,
): Promise<BomRows<Row>> {
  const { rows, skipped } = splitRows(request)
  const components = await findComponents(
    context.tx,
    rows.map(({ data }) => data),
  )
  const groups = new Map<number | ReadRow<Row>, { component: Component; rows: ReadRow<Row>[] }>()
  for (const [index, row] of rows.entries()) {
    const component = components[index] as Component
    const key = component.part && !component.error ? component.part.pk : row
    const group = groups.get(key)
    if (group) group.rows.push(row)
    else groups.set(key, { component, rows: [row] })
  }
  const result = [...groups.values()].map((group) => readGroup(group.component, group.rows, context))
  if (request.assembly !== undefined) await addLoopErrors(context.tx, request.assembly, result)
  return { rows: result.map(({ row }) => ({ ...row, field_errors: listMessages(row.data.errors) })), skipped }
}

/** Separates the rows to read, with their numbers normalized, from those that are skipped. */
function splitRows<Row extends Cells>({ columns, rows, rowNumbers, decimalSign, isWorkbook = false }: RowsRequest<Row>) {
  const findColumn = (name: string) => columns.indexOf(name)
  const textColumns = columns.flatMap((name, index) => ([...PART_COLUMNS, 'dnp', 'fitted'].includes(name) ? [] : [index]))
  const skipped: BomRows<Row>['skipped'] = []
  const includedRows: ReadRow<Row>[] = []
  const getSkipReason = (row: Row, data: Data): SkipReason | undefined => {
    const [mark = null, fitted = null] = [row[findColumn('dnp')], row[findColumn('fitted')]]
    if (
      isNotPopulated(
        mark,
        fitted,
        textColumns.map((index) => row[index] ?? null),
      )
    )
      return 'not_populated'
    if (/^\s*\d+\s*$/.test(data.level ?? '') && Number(data.level) !== 1) return 'below_first_level'
    if (Object.values(data).every((cell) => !cell?.trim())) return 'no_component'
  }
  for (const [index, original] of rows.entries()) {
    const number = rowNumbers?.[index] ?? index + 1
    const data = mapToFields(columns, original)
    const reason = getSkipReason(original, data)
    if (reason) skipped.push({ row_number: number, reason, original })
    else includedRows.push({ original, data, number, errors: {} })
  }
  if (decimalSign !== undefined) readNumbers(includedRows, decimalSign, isWorkbook)
  if (!columns.includes('quantity'))
    for (const { data } of includedRows) data.quantity = countDesignators(data.reference ?? '')?.toString() ?? null
  return { rows: includedRows, skipped }
}

/** Maps the cells of a row to fields. */
const mapToFields = (columns: readonly string[], row: Cells): Data =>
  Object.fromEntries(columns.flatMap((name, index) => (name && name !== 'errors' ? [[name, row[index] ?? null]] : [])))

/** Normalizes the numbers of numeric columns; an ambiguous one is an error. */
function readNumbers(rows: readonly ReadRow<Cells>[], decimalSign: string, isWorkbook: boolean): void {
  for (const name of ['quantity', 'overage']) {
    const numbers = parseImportedNumbers(
      rows.map(({ data }) => data[name] ?? null),
      decimalSign,
      !isWorkbook,
    )
    for (const [index, { data, errors }] of rows.entries())
      if (numbers[index] === undefined) errors[name] = bomErrors.number_read_two_ways({ number: data[name] ?? '' })
      else if (name in data) data[name] = numbers[index] ?? null
  }
}

/** The input shape of the fields that a line takes unchanged, as in the resource of BOM lines. */
const lineShape = Object.fromEntries(
  Object.entries(getWriteShape(bomItem)).filter(
    ([name]) => name in IMPORT_FIELDS && !PART_COLUMNS.some((column) => column === name),
  ),
)

/** Fields that must be the same in all rows of one component. */
const SAME_FIELDS = ['overage', 'allow_variants', 'inherited', 'optional', 'consumable'] as const

/** A component of a table, with the flags of its line. */
type Group<Row extends Cells> = { row: BomRow<Row>; flags: { allow_variants: boolean; inherited: boolean } }

/** Combines the rows that name one component. */
function readGroup<Row extends Cells>(component: Component, rows: readonly ReadRow<Row>[], services: Services): Group<Row> {
  const { part } = component
  const [first] = rows as [ReadRow<Row>]
  const lines = rows.map((row) => readLine(row, services))
  const errors: RowErrors = {}
  let sum: Decimal | undefined
  for (const [index, { values, errors: lineErrors }] of lines.entries()) {
    for (const [name, message] of Object.entries(lineErrors)) errors[name] ??= message
    sum = values.quantity === undefined ? sum : sum === undefined ? values.quantity : add(sum, values.quantity)
    const differingField = SAME_FIELDS.find((name) => String(values[name] ?? '') !== String(lines[0]?.values[name] ?? ''))
    if (differingField)
      errors[differingField] ??= bomErrors.component_rows_differ({
        rows: [first.number, rows[index]?.number ?? 0],
        field: differingField,
      })
  }
  const data: Data = { ...first.data }
  if (rows.length > 1) {
    if (sum !== undefined) data.quantity = sum
    data.reference = joinReferences(listTexts(rows, 'reference'))
    data.note = [...new Set(listTexts(rows, 'note'))].join(', ')
    for (const name of ['reference', 'note'] as const) if (!(name in first.data)) delete data[name]
    const { errors: mergedErrors } = readLine({ ...first, data, errors: {} }, services)
    for (const [name, message] of Object.entries(mergedErrors)) errors[name] ??= message
  }
  if (!errors.quantity && sum !== undefined) {
    const quantityError = checkComponentQuantity(services, sum, part?.trackable === true)
    if (quantityError) errors.quantity = quantityError
  }
  if (component.error) {
    const isUnknown = component.error === bomErrors.component_not_found
    errors.part = (isUnknown && dateError(PART_COLUMNS.map((name) => first.data[name]))) || component.error
  }
  const part_detail = part ? { pk: part.pk, name: part.name, full_name: part.full_name, IPN: part.IPN } : null
  const sortedErrors = Object.fromEntries(
    Object.entries(errors).toSorted(([one], [differingField]) => (one === 'part' ? -1 : differingField === 'part' ? 1 : 0)),
  )
  const row = {
    original: first.original,
    data: { ...data, part: part?.pk ?? null, errors: sortedErrors },
    field_errors: [],
    row_numbers: rows.map(({ number }) => number),
    part_detail,
  }
  const { allow_variants, inherited } = lines[0]?.values ?? {}
  return { row, flags: { allow_variants: allow_variants === true, inherited: inherited === true } }
}

const listTexts = (rows: readonly ReadRow<Cells>[], name: string): string[] =>
  rows.flatMap(({ data }) => (data[name]?.trim() ? [data[name]] : []))

/** Reads the fields of a row as the line takes them, with the error of each. */
function readLine({ data, errors: cellErrors }: ReadRow<Cells>, services: Services) {
  const result = input.readShape(lineShape, omitEmptyCells(data), { references: [], services }, { partial: true })
  const values = result.values as { quantity?: Decimal } & Record<string, unknown>
  const errors: RowErrors = {
    ...Object.fromEntries(Object.entries(result.errors).map(([name, entry]) => [name, getFirstMessage(entry)])),
    ...cellErrors,
  }
  if (!errors.quantity && values.quantity === undefined) errors.quantity = bomErrors.component_quantity_required
  if (values.quantity !== undefined && compare(values.quantity, '0') <= 0)
    errors.quantity = bomErrors.component_quantity_must_be_positive
  for (const name of ['quantity', 'reference', 'overage']) {
    const message = (name === 'reference' || errors[name]) && dateError([data[name]])
    if (message) errors[name] = message
  }
  return { values, errors }
}

/** Returns the error of a cell that a spreadsheet converted to a date. */
function dateError(cells: readonly (string | null | undefined)[]): ErrorMessage | undefined {
  const date = cells.find((cell) => cell && looksLikeDate(cell))
  return date ? bomErrors.cell_became_date({ text: date.trim() }) : undefined
}

const getFirstMessage = (entry: ErrorEntry): ErrorMessage => [entry].flat()[0] as ErrorMessage

/** Adds the error that creating the line would give to each component that the assembly cannot contain. */
async function addLoopErrors(tx: Tx, assembly: number, groups: readonly Group<Cells>[]): Promise<void> {
  const open = groups.filter(({ row: { data } }) => data.part !== null && !data.errors.part)
  const loops = await findLoops(
    tx,
    assembly,
    open.map(({ row, flags }) => ({ component: row.data.part as number, ...flags })),
  )
  for (const [index, { row }] of open.entries()) {
    const { data } = row
    if (loops.has(index))
      data.errors = { part: data.part === assembly ? bomErrors.component_of_itself : bomErrors.component_loop, ...data.errors }
  }
}
