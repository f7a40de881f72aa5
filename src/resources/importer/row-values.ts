import { isDeepStrictEqual } from 'node:util'
import { isDate } from '../../kit/definition/input.ts'
import type { Body } from '../../kit/definition/resource.ts'
import { parseImportedNumbers } from '../../spreadsheets/numbers.ts'
import { ID_FIELD, type ImportField, type ImportFields } from './import-fields.ts'

type Values = Readonly<Record<string, unknown>>

/** What an import session says about the values of its rows. */
export type ImportSettings = {
  available_fields: ImportFields
  field_defaults: Values | null
  field_overrides: Values | null
  /** The decimal separator of the file, if its numbers do not show it; empty when it is unknown. */
  decimal_separator: string
}

/** The field for the unit of a quantity; without one, it is a number of pieces. */
const UNITS = 'units'

/** Words for pieces, in the languages of headings. */
const PIECES = new Set(
  'pcs, pc, pce, piece, pieces, ea, each, unit, units, stk, stck, stück, st, pièce, pièces, pza, pzas, pieza, piezas, pz, pezzo, pezzi, ud, uds, un, und, peça, peças, stuk, stuks, szt, sztuka, ks, kus, 个, 只, 件'.split(
    ', ',
  ),
)

const isPieces = (value: unknown): boolean => PIECES.has(String(value).trim().toLowerCase().replace(/\.$/, ''))

/** A field and the column with its values, if any. */
export type Mapping = { field: string; column: string; lookup_field: string | null; create_missing: boolean }

export type ReadRow = { row_data: Record<string, string | null>; data: Record<string, unknown> }

const NUMBER_TYPES = new Set(['integer', 'float', 'decimal'])

/**
 * Reads the values of rows: those of the mapped columns, otherwise the default of a field; an override replaces both. A blank cell has the
 * default of its field, if there is one.
 * @param isText whether the numbers are written for people, as in a CSV file
 */
export function readRowValues(
  table: { columns: readonly string[]; rows: readonly (readonly (string | null)[])[] },
  mappings: readonly Mapping[],
  { available_fields, field_defaults, field_overrides, decimal_separator }: ImportSettings,
  isText: boolean,
): ReadRow[] {
  const { columns, rows } = table
  const defaults = field_defaults ?? {}
  const overrides = field_overrides ?? {}
  const readers = mappings.map(({ field, column }) => {
    const index = column ? columns.indexOf(column) : -1
    const cells =
      index < 0
        ? undefined
        : readCells(
            available_fields[field],
            rows.map((row) => row[index] ?? null),
            decimal_separator,
            isText,
          )
    return { field, cells }
  })
  return rows.map((row, rowIndex) => {
    const data: Record<string, unknown> = {}
    for (const { field, cells } of readers) {
      if (field in overrides) data[field] = overrides[field]
      else {
        const value = cells?.[rowIndex]
        const isBlank = value === undefined || value === null || value === '' || (field === UNITS && isPieces(value))
        if (!isBlank) data[field] = value
        else if (field in defaults) data[field] = defaults[field]
        else if (cells) data[field] = null
      }
    }
    return { row_data: Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])), data }
  })
}

/** The cells of a column as its field takes them; a cell that it does not understand stays as it is. */
function readCells(
  field: ImportField | undefined,
  cells: readonly (string | null)[],
  decimalSeparator: string,
  isText: boolean,
): unknown[] {
  const { type = '', choices = [] } = field ?? {}
  const trimmed = cells.map((cell) => cell?.trim() || null)
  if (NUMBER_TYPES.has(type)) {
    const numbers = parseImportedNumbers(trimmed, decimalSeparator || '.', isText)
    return trimmed.map((cell, index) => numbers[index] ?? cell)
  }
  if (type === 'boolean') return trimmed.map((cell) => BOOLEANS.get(cell?.toLowerCase() ?? '') ?? cell)
  if (type === 'date') return trimmed.map((cell) => cell && toDate(cell))
  if (type === 'choice') {
    const byName = new Map(choices.map(({ value, display_name }) => [display_name.toLowerCase(), value]))
    const values = new Set(choices.map(({ value }) => String(value)))
    return trimmed.map((cell) => (cell === null || values.has(cell) ? cell : (byName.get(cell.toLowerCase()) ?? cell)))
  }
  return cells.map((cell) => (cell?.trim() ? cell : null))
}

const TRUE = [
  'true',
  't',
  '1',
  'yes',
  'y',
  'on',
  'x',
  '✓',
  'ja',
  'j',
  'wahr',
  'oui',
  'vrai',
  'sí',
  'si',
  'verdadero',
  'sì',
  'vero',
]
const FALSE = [
  'false',
  'f',
  '0',
  'no',
  'n',
  'off',
  '-',
  'nein',
  'falsch',
  'non',
  'faux',
  'falso',
  'não',
  'nee',
  'nie',
  'ne',
  '否',
  '假',
]
/** Words that mean yes or no, in the languages of headings. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...[...TRUE, 'sim', 'verdadeiro', 'waar', 'tak', 'prawda', 'ano', 'pravda', '是', '真'].map((word) => [word, true] as const),
  ...[...FALSE, 'onwaar', 'fałsz', 'nepravda'].map((word) => [word, false] as const),
])

/** Converts a date that is written in another order, if only one order is possible; day and month of `3/4/2026` are not certain. */
function toDate(cell: string): string {
  const [, iso] = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d/.exec(cell) ?? []
  if (iso) return iso
  const [, first = '', sign, second = '', year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(cell) ?? []
  if (year) {
    const isDayFirst = sign === '.' || Number(first) > 12
    if (!isDayFirst && Number(second) <= 12 && first !== second) return cell
    const [day, month] = isDayFirst ? [first, second] : [second, first]
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    return isDate(date) ? date : cell
  }
  const [, leadingYear, , month = '', day = ''] = /^(\d{4})([./])(\d{1,2})\2(\d{1,2})$/.exec(cell) ?? []
  const date = `${leadingYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return leadingYear && isDate(date) ? date : cell
}

/** The values of a row as they are written: the body of a POST or PATCH, and, for the latter, the key of the object as it was given. */
export type RowBody = { body: Body; id: unknown }

/**
 * Builds the body of a row. Left out are blank values of a new object; for an existing one they mean null or an empty text where a field
 * takes that; and a default that a field has anyway, so that the rules of the object decide as they do without it.
 * @param mapped the fields that have a column
 */
export function buildRowBody(
  data: Values,
  { available_fields, field_overrides }: ImportSettings,
  mapped: ReadonlySet<string>,
  isUpdate: boolean,
): RowBody {
  const overrides = field_overrides ?? {}
  const body: Body = {}
  for (const [name, value] of Object.entries({ ...data, ...overrides })) {
    const field = available_fields[name]
    if (!field || name === ID_FIELD) continue
    if (name in overrides) body[name] = toValue(field, value)
    else if (!mapped.has(name) && isDeepStrictEqual(value, field.default)) continue
    else if (value !== null && value !== '') body[name] = toValue(field, value)
    else if (!isUpdate) continue
    else if (field.allow_null && field.default !== '') body[name] = null
    else if (field.allow_blank) body[name] = ''
    else if (field.type === 'list') body[name] = []
  }
  return { body, id: (overrides[ID_FIELD] ?? data[ID_FIELD]) as unknown }
}

/** A text of a cell as a list, or as JSON, where the field takes one. */
function toValue({ type }: ImportField, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'list') {
    const entries = value.split(',').map((entry) => entry.trim())
    return entries.filter(Boolean)
  }
  if (type === 'field' && /^\s*[[{]/.test(value)) {
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}
