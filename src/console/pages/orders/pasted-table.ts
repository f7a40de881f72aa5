import { isSingleText, readDelimited } from '../../../tables/delimited-text.ts'
import type { HeadingField } from '../../../tables/heading-words.ts'
import { areRunningNumbers, fieldOfHeading, findHeadingRow } from '../../../tables/headings.ts'
import { importedNumbers, isNumber } from '../../../tables/numbers.ts'

/** A pasted row: the texts that name its part, and its quantity; undefined for a text that is not a number or that can be read in two ways. */
export type Pasted = { names: readonly string[]; quantity: string | undefined; text: string }

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
const NAMING: readonly HeadingField[] = ['part_sku', 'part_ipn', 'part_mpn', 'part', 'part_name']

/**
 * Parses a table copied from a spreadsheet, a file or an email. Headings give the meaning of its columns. Without them the first column
 * names the part, and the quantity is the only column with numbers: any of several may be a price. Undefined for a single text, which is a
 * search.
 */
export function pastedTable(text: string): PastedTable | undefined {
  const read = readDelimited(text)
  const rows = read.rows.map((row) => row.map((cell) => cell.trim())).filter((row) => row.some(Boolean))
  if (isSingleText(rows, read.separator)) return undefined
  const head = findHeadingRow(rows)
  const body = head === undefined ? rows : rows.slice(head + 1)
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const columnOf = (at: number) => body.map((row) => row[at] ?? '')
  const columns = Array.from({ length: width }, (_, at) => at)
  const numeric = columns.filter((at) => columnOf(at).some(isNumber))
  if (head !== undefined) return { ...byHeadings(rows[head] ?? [], columnOf, numeric), rows: body }
  // names may contain commas
  if (width === 1 || (read.separator === ',' && numeric.length === 0))
    return { headings: undefined, rows: rows.map((row) => [row.join(', ')]), names: [0], quantity: 'one' }
  const others = numeric.filter((at) => at !== 0)
  const isNumbered = columnOf(0).every(isNumber) && columns.length > others.length + 1
  return {
    headings: undefined,
    rows,
    names: isNumbered ? [] : [0],
    quantity: isNumbered || others.length !== 1 ? undefined : others[0],
  }
}

function byHeadings(headings: readonly string[], columnOf: (at: number) => readonly string[], numeric: readonly number[]) {
  const headingFields = headings.map(fieldOfHeading)
  const best = (field: HeadingField) =>
    headingFields
      .flatMap((found, at) => (found?.field === field ? [{ at, rank: found.rank }] : []))
      .filter(({ at }) => field !== 'part' || !areRunningNumbers(columnOf(at)))
      .toSorted((one, other) => one.rank - other.rank)[0]?.at
  const names = NAMING.flatMap((field) => best(field) ?? [])
  const others = numeric.filter((at) => !names.includes(at))
  return {
    headings,
    names,
    quantity: best('quantity') ?? (others.length === 0 && names.length > 0 ? ('one' as const) : undefined),
  }
}

/** The rows of a table whose columns are known. @param decimalSign decimal separator of the reader */
export function rowsOf(
  { rows }: PastedTable,
  names: readonly number[],
  quantity: number | 'one',
  decimalSign: string,
): readonly Pasted[] {
  const texts = rows.map((row) => (quantity === 'one' ? '1' : (row[quantity] ?? '')))
  const amounts = importedNumbers(texts, decimalSign, true)
  return rows.flatMap((row, at) => {
    const rowNames = names.flatMap((column) => row[column] || [])
    return rowNames.length > 0 ? [{ names: rowNames, quantity: amountOf(amounts[at] ?? ''), text: texts[at] ?? '' }] : []
  })
}

const amountOf = (amount: string): string | undefined => (/^\s*\d*\.?\d+\s*$/.test(amount) ? amount.trim() : undefined)
