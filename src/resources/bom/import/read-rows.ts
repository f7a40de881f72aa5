import * as input from '../../../kit/definition/input.ts'
import { type ErrorEntry, type FieldErrorJson, messagesIn } from '../../../kit/request/errors.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { writeShape } from '../../../kit/writing/write.ts'
import { looksLikeDate } from '../../../tables/date-text.ts'
import { importedNumbers } from '../../../tables/numbers.ts'
import { bomErrors } from '../bom-errors.ts'
import { bomItem } from '../bom-item.resource.ts'
import { quantityObjection } from '../bom-rules.ts'
import { loopsOf } from '../loops.ts'
import { filledIn, IMPORT_FIELDS, PART_COLUMNS } from './columns.ts'
import { countDesignators, joinReferences } from './designators.ts'
import { type Component, findComponents, type PartMatch } from './find-components.ts'
import { isNotPopulated } from './not-populated.ts'

type Cells = readonly (string | null)[]
type Data = Record<string, string | null>
type RowErrors = Record<string, ErrorMessage>

/** Reasons for skipping a row of a table that has no errors. */
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
  /** The field of each column; an empty text for none. */
  columns: readonly string[]
  rows: readonly Row[]
  /** Numbers to report for the rows; their positions, from 1, by default. */
  rowNumbers?: readonly number[]
  /** The assembly that would get the lines; without it, loops are not checked. */
  assembly?: number
  /** Decimal sign of the reader's locale, if numbers may be written in local form. */
  decimalSign?: string
  /** Whether the table is from a workbook, whose decimal sign is a point. */
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
  for (const [at, row] of rows.entries()) {
    const component = components[at] as Component
    const key = component.part && !component.error ? component.part.pk : row
    const group = groups.get(key)
    if (group) group.rows.push(row)
    else groups.set(key, { component, rows: [row] })
  }
  const read = [...groups.values()].map((group) => readGroup(group.component, group.rows, context))
  if (request.assembly !== undefined) await addLoopErrors(context.tx, request.assembly, read)
  return { rows: read.map(({ row }) => ({ ...row, field_errors: messagesIn(row.data.errors) })), skipped }
}

/** Separates the rows to read, with their numbers normalized, from those that are skipped. */
function splitRows<Row extends Cells>({ columns, rows, rowNumbers, decimalSign, isWorkbook = false }: RowsRequest<Row>) {
  const at = (name: string) => columns.indexOf(name)
  const texts = columns.flatMap((name, index) => ([...PART_COLUMNS, 'dnp', 'fitted'].includes(name) ? [] : [index]))
  const skipped: BomRows<Row>['skipped'] = []
  const includedRows: ReadRow<Row>[] = []
  const reasonOf = (row: Row, data: Data): SkipReason | undefined => {
    const [mark = null, fitted = null] = [row[at('dnp')], row[at('fitted')]]
    if (
      isNotPopulated(
        mark,
        fitted,
        texts.map((index) => row[index] ?? null),
      )
    )
      return 'not_populated'
    if (/^\s*\d+\s*$/.test(data.level ?? '') && Number(data.level) !== 1) return 'below_first_level'
    if (Object.values(data).every((cell) => !cell?.trim())) return 'no_component'
  }
  for (const [index, original] of rows.entries()) {
    const number = rowNumbers?.[index] ?? index + 1
    const data = byField(columns, original)
    const reason = reasonOf(original, data)
    if (reason) skipped.push({ row_number: number, reason, original })
    else includedRows.push({ original, data, number, errors: {} })
  }
  if (decimalSign !== undefined) readNumbers(includedRows, decimalSign, isWorkbook)
  if (!columns.includes('quantity'))
    for (const { data } of includedRows) data.quantity = countDesignators(data.reference ?? '')?.toString() ?? null
  return { rows: includedRows, skipped }
}

/** Maps the cells of a row to fields. */
const byField = (columns: readonly string[], row: Cells): Data =>
  Object.fromEntries(columns.flatMap((name, at) => (name && name !== 'errors' ? [[name, row[at] ?? null]] : [])))

/** Normalizes the numbers of numeric columns; an ambiguous one is an error. */
function readNumbers(rows: readonly ReadRow<Cells>[], decimalSign: string, isWorkbook: boolean): void {
  for (const name of ['quantity', 'overage']) {
    const numbers = importedNumbers(
      rows.map(({ data }) => data[name] ?? null),
      decimalSign,
      !isWorkbook,
    )
    for (const [at, { data, errors }] of rows.entries())
      if (numbers[at] === undefined) errors[name] = bomErrors.number_read_two_ways({ number: data[name] ?? '' })
      else if (name in data) data[name] = numbers[at] ?? null
  }
}

/** The fields that a line takes unchanged, each read like the line's own. */
const ofLine = Object.fromEntries(
  Object.entries(writeShape(bomItem)).filter(
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
  for (const [at, { values, errors: wrong }] of lines.entries()) {
    for (const [name, message] of Object.entries(wrong)) errors[name] ??= message
    sum = values.quantity === undefined ? sum : sum === undefined ? values.quantity : add(sum, values.quantity)
    const other = SAME_FIELDS.find((name) => String(values[name] ?? '') !== String(lines[0]?.values[name] ?? ''))
    if (other) errors[other] ??= bomErrors.component_rows_differ({ rows: [first.number, rows[at]?.number ?? 0], field: other })
  }
  const data: Data = { ...first.data }
  if (rows.length > 1) {
    if (sum !== undefined) data.quantity = sum
    data.reference = joinReferences(textsIn(rows, 'reference'))
    data.note = [...new Set(textsIn(rows, 'note'))].join(', ')
    for (const name of ['reference', 'note'] as const) if (!(name in first.data)) delete data[name]
    const { errors: wrong } = readLine({ ...first, data, errors: {} }, services)
    for (const [name, message] of Object.entries(wrong)) errors[name] ??= message
  }
  if (!errors.quantity && sum !== undefined) {
    const objection = quantityObjection(sum, part?.trackable === true)
    if (objection) errors.quantity = objection
  }
  if (component.error) {
    const isUnknown = component.error === bomErrors.component_not_found
    errors.part = (isUnknown && dateError(PART_COLUMNS.map((name) => first.data[name]))) || component.error
  }
  const part_detail = part ? { pk: part.pk, name: part.name, full_name: part.full_name, IPN: part.IPN } : null
  const inOrder = Object.fromEntries(
    Object.entries(errors).toSorted(([one], [other]) => (one === 'part' ? -1 : other === 'part' ? 1 : 0)),
  )
  const row = {
    original: first.original,
    data: { ...data, part: part?.pk ?? null, errors: inOrder },
    field_errors: [],
    row_numbers: rows.map(({ number }) => number),
    part_detail,
  }
  const { allow_variants, inherited } = lines[0]?.values ?? {}
  return { row, flags: { allow_variants: allow_variants === true, inherited: inherited === true } }
}

const textsIn = (rows: readonly ReadRow<Cells>[], name: string): string[] =>
  rows.flatMap(({ data }) => (data[name]?.trim() ? [data[name]] : []))

/** Reads the fields of a row as the line takes them, with the error of each. */
function readLine({ data, errors: cellErrors }: ReadRow<Cells>, services: Services) {
  const read = input.readShape(ofLine, filledIn(data), { references: [], services }, { partial: true })
  const values = read.values as { quantity?: Decimal } & Record<string, unknown>
  const errors: RowErrors = {
    ...Object.fromEntries(Object.entries(read.errors).map(([name, entry]) => [name, firstOf(entry)])),
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

const firstOf = (entry: ErrorEntry): ErrorMessage => [entry].flat()[0] as ErrorMessage

/** Adds to components that the assembly cannot have the error that creating the line would give. */
async function addLoopErrors(tx: Tx, assembly: number, groups: readonly Group<Cells>[]): Promise<void> {
  const open = groups.filter(({ row: { data } }) => data.part !== null && !data.errors.part)
  const loops = await loopsOf(
    tx,
    assembly,
    open.map(({ row, flags }) => ({ component: row.data.part as number, ...flags })),
  )
  for (const [at, { row }] of open.entries()) {
    const { data } = row
    if (loops.has(at))
      data.errors = { part: data.part === assembly ? bomErrors.component_of_itself : bomErrors.component_loop, ...data.errors }
  }
}
