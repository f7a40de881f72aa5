import { isSingleText, readDelimited } from '../../../spreadsheets/delimited-text.ts'
import type { HeadingField } from '../../../spreadsheets/heading-words.ts'
import { areRunningNumbers, findHeadingField, findHeadingRow } from '../../../spreadsheets/headings.ts'
import { isNumber, parseImportedNumbers } from '../../../spreadsheets/numbers.ts'

/** A pasted row: the strings that name its part, and its quantity, which is undefined if its text is not a number or is ambiguous. */
export type PastedRow = { names: readonly string[]; quantity: string | undefined; text: string }

/** A pasted table, and the columns that name the part and hold the quantity, as far as that is certain. */
export type PastedTable = {
  /** Undefined if the columns have none. */
  headings: readonly string[] | undefined
  rows: readonly (readonly string[])[]
  /** Empty if the user has to select them. */
  names: readonly number[]
  /** `one` of each if there are no numbers; undefined if the user has to select the column. */
  quantity: number | 'one' | undefined
}

/** The fields that name a part, the most specific first. */
const NAME_FIELDS: readonly HeadingField[] = ['part_sku', 'part_ipn', 'part_mpn', 'part', 'part_name']

/**
 * Parses a table copied from a spreadsheet, a file or an email. Headings give the meaning of its columns. Without them the first column
 * names the part, and the quantity is the only column with numbers: of several, any may be a price. Undefined for a single value, which is a
 * search term.
 */
export function parsePastedTable(text: string): PastedTable | undefined {
  const parsed = readDelimited(text)
  const rows = parsed.rows.map((row) => row.map((cell) => cell.trim())).filter((row) => row.some(Boolean))
  if (isSingleText(rows, parsed.separator)) return undefined
  const headingIndex = findHeadingRow(rows)
  const body = headingIndex === undefined ? rows : rows.slice(headingIndex + 1)
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const getColumn = (index: number) => body.map((row) => row[index] ?? '')
  const columns = Array.from({ length: width }, (_, index) => index)
  const numeric = columns.filter((index) => getColumn(index).some(isNumber))
  if (headingIndex !== undefined) return { ...readHeadings(rows[headingIndex] ?? [], getColumn, numeric), rows: body }
  // names may contain commas
  if (width === 1 || (parsed.separator === ',' && numeric.length === 0))
    return { headings: undefined, rows: rows.map((row) => [row.join(', ')]), names: [0], quantity: 'one' }
  const otherColumns = numeric.filter((index) => index !== 0)
  const isNumbered = getColumn(0).every(isNumber) && columns.length > otherColumns.length + 1
  return {
    headings: undefined,
    rows,
    names: isNumbered ? [] : [0],
    quantity: isNumbered || otherColumns.length !== 1 ? undefined : otherColumns[0],
  }
}

function readHeadings(headings: readonly string[], getColumn: (index: number) => readonly string[], numeric: readonly number[]) {
  const headingFields = headings.map(findHeadingField)
  const findColumn = (field: HeadingField) =>
    headingFields
      .flatMap((found, index) => (found?.field === field ? [{ at: index, rank: found.rank }] : []))
      .filter(({ at: index }) => field !== 'part' || !areRunningNumbers(getColumn(index)))
      .toSorted((one, other) => one.rank - other.rank)[0]?.at
  const names = NAME_FIELDS.flatMap((field) => findColumn(field) ?? [])
  const otherColumns = numeric.filter((index) => !names.includes(index))
  return {
    headings,
    names,
    quantity: findColumn('quantity') ?? (otherColumns.length === 0 && names.length > 0 ? ('one' as const) : undefined),
  }
}

/** The rows of a table whose columns are known. @param decimalSign decimal separator of the reader */
export function getPastedRows(
  { rows }: PastedTable,
  names: readonly number[],
  quantity: number | 'one',
  decimalSign: string,
): readonly PastedRow[] {
  const texts = rows.map((row) => (quantity === 'one' ? '1' : (row[quantity] ?? '')))
  const amounts = parseImportedNumbers(texts, decimalSign, true)
  return rows.flatMap((row, index) => {
    const rowNames = names.flatMap((column) => row[column] || [])
    return rowNames.length > 0
      ? [{ names: rowNames, quantity: parseQuantity(amounts[index] ?? ''), text: texts[index] ?? '' }]
      : []
  })
}

const parseQuantity = (amount: string): string | undefined => (/^\s*\d*\.?\d+\s*$/.test(amount) ? amount.trim() : undefined)
