import { FieldError } from '../kit/request/errors.ts'
import { runInThread } from '../kit/services/in-thread.ts'
import { Semaphore } from '../kit/services/semaphore.ts'
import { entryUrl } from '../paths.ts'
import type { Separator } from './delimited-text.ts'
import { type Cells, findHeadingRow } from './headings.ts'
import { tableErrors } from './table-errors.ts'
import type { Encoding } from './text-encoding.ts'

/** The supported kinds of files, by file extension. `xml`: a workbook as written by Excel 2003. */
export const TABLE_KINDS = ['csv', 'tsv', 'txt', 'xls', 'xlsx', 'ods', 'xml'] as const

/** Limits of a file. */
export type TableBounds = {
  /** Rows after the heading row. */
  rows: number
  columns: number
  /** Characters in a cell. */
  characters: number
  /** Bytes of an unpacked workbook. */
  unpackedBytes: number
}

/** Options for reading a file; omitted ones are detected. */
export type TableChoices = {
  sheet?: string
  /** Number of the heading row, from 1; 0 when there is none. */
  headingRow?: number
  separator?: Separator
  encoding?: Encoding
}

/** The request to the worker thread. */
export type TableRequest = { content: Uint8Array; kind: string; bounds: TableBounds; choices: TableChoices }

/** The rows of a file that are not blank, each with its number, and the options that were used. */
export type RawTable = {
  rows: { number: number; cells: (string | null)[] }[]
  /** Of a workbook. */
  sheet?: string
  sheets?: string[]
  /** Of a text. */
  separator?: Separator
  encoding?: Encoding
}

/** Maximum size of a file, in bytes. */
export const MAX_TABLE_BYTES = 10 * 1024 * 1024

export const TABLE_BOUNDS: TableBounds = { rows: 5_000, columns: 100, characters: 5_000, unpackedBytes: 64 * 1024 * 1024 }

/** Timeout for reading a file, in milliseconds. */
const TIMEOUT_MS = 15_000

/** One file per account at a time, and two in total. */
const queue = new Semaphore(2, 2 * TIMEOUT_MS, tableErrors.too_many_tables, 20, 1)

/** Limits of a file, and of the thread that reads it. */
export type TableReader = {
  bounds: TableBounds
  timeoutMs: number
  memoryMb: number
  /** Finds the heading row among the rows that are not blank; undefined for none. */
  findHeadingRow: (rows: readonly Cells[]) => number | undefined
}

const DEFAULT_READER: TableReader = { bounds: TABLE_BOUNDS, timeoutMs: TIMEOUT_MS, memoryMb: 256, findHeadingRow }

export type Table = Omit<RawTable, 'rows'> & {
  /** The headings without duplicates. An empty one is named by the position of its column, and a numeric one is prefixed with a sign. */
  columns: string[]
  /** Rows as long as the headings; null for an empty cell. */
  rows: (string | null)[][]
  /** Number of each row in the file, from 1, including blank ones. */
  rowNumbers: number[]
  /** Number of the heading row; 0 when there is none. */
  headingRow: number
}

/**
 * Reads a table from a file: the rows below the heading row, in a workbook from the sheet with known headings.
 * @param account the account that sent the file: accounts take turns
 * @param reader other limits than `TABLE_BOUNDS`, and another way to find the heading row
 * @throws FieldError when the file cannot be read or exceeds the limits
 * @throws FieldError with `sheet` or `heading_row` when the chosen one does not exist
 * @throws Problem `unavailable` (503) when too many other files are being read
 */
export async function readTable(
  content: Uint8Array,
  kind: string,
  choices: TableChoices,
  account: number | undefined,
  reader: TableReader = DEFAULT_READER,
): Promise<Table> {
  const { bounds } = reader
  const read = () => readInThread({ content, kind, bounds, choices }, reader)
  const { rows, ...file } = await queue.run(read, { account })
  if (choices.sheet !== undefined && file.sheets && file.sheet === undefined)
    throw new FieldError({ sheet: [tableErrors.unknown_sheet({ sheet: choices.sheet })] })
  if (rows.length === 0) throw new FieldError(tableErrors.table_without_headings)
  const headingRow = choices.headingRow ?? detectHeadingRow(rows, reader)
  // a text file that is a table only by coincidence
  if (headingRow === 0 && rows.every(({ cells }) => cells.length < 2)) throw new FieldError(tableErrors.table_without_headings)
  const head = rows.find(({ number }) => number === headingRow)
  if (!head && headingRow > 0) throw new FieldError({ heading_row: [tableErrors.blank_heading_row({ row: headingRow })] })
  const body = rows.filter(({ number }) => number > headingRow)
  if (body.length === 0) throw new FieldError(tableErrors.table_without_rows)
  checkBounds(head?.cells ?? [], body, bounds)
  const all = head ? [head, ...body] : body
  const width = all.reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  const used = Array.from({ length: width }, (_, index) => index).filter((index) => all.some(({ cells }) => cells[index]?.trim()))
  return {
    ...file,
    columns: makeUnique(used.map((index) => getColumnName(head?.cells[index]?.trim() ?? '', index))),
    rows: body.map(({ cells }) => used.map((index) => cells[index] ?? null)),
    rowNumbers: body.map(({ number }) => number),
    headingRow,
  }
}

function detectHeadingRow(rows: RawTable['rows'], { findHeadingRow: find }: TableReader): number {
  const index = find(rows.map(({ cells }) => cells))
  return index === undefined ? 0 : Number(rows[index]?.number)
}

function checkBounds(head: readonly (string | null)[], body: RawTable['rows'], { rows, columns, characters }: TableBounds): void {
  if (body.length > rows) throw new FieldError(tableErrors.max_table_rows({ max_rows: rows }))
  const isLong = (cell: string | null) => cell !== null && cell.length > characters && [...cell].length > characters
  for (const cells of [head, ...body.map((row) => row.cells)]) {
    if (cells.length > columns) throw new FieldError(tableErrors.max_table_columns({ max_columns: columns }))
    if (cells.some(isLong)) throw new FieldError(tableErrors.max_cell_length({ max_length: characters }))
  }
}

/** Returns a column name. In a JSON object, a name that is a whole number would not keep its position. */
const getColumnName = (heading: string, index: number): string =>
  heading === '' ? `Column ${index + 1}` : /^\d+$/.test(heading) ? `#${heading}` : heading

/** Makes names unique by appending a number to repeated ones. */
function makeUnique(names: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return names.map((name) => {
    let uniqueName = name
    for (let index = 2; usedNames.has(uniqueName); index++) uniqueName = `${name} (${index})`
    usedNames.add(uniqueName)
    return uniqueName
  })
}

const readInThread = (request: TableRequest, { timeoutMs, memoryMb }: TableReader) =>
  runInThread<RawTable>(entryUrl('spreadsheets/table-worker'), request, {
    timeLimit: timeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    timeoutError: () => new FieldError(tableErrors.unreadable_table),
  })
