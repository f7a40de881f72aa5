import { FieldError } from '../../../kit/request/errors.ts'
import { inThread } from '../../../kit/services/in-thread.ts'
import { Semaphore } from '../../../kit/services/semaphore.ts'
import { entryUrl } from '../../../paths.ts'
import { bomErrors } from '../bom-errors.ts'

/** The kinds of files that are read, by the endings of their names. `xml`: a workbook as Excel 2003 writes it. */
export const SHEET_KINDS = ['csv', 'tsv', 'xls', 'xlsx', 'xml'] as const

/** What a file may take. */
export type SheetBounds = {
  /** Rows behind the one with the headings. */
  rows: number
  columns: number
  /** Characters in a cell. */
  characters: number
  /** Bytes that a packed workbook comes to. */
  unpackedBytes: number
}

/** What the thread is asked to read. */
export type SheetRequest = { content: Uint8Array; kind: string; bounds: SheetBounds }

/** Most of a file, in bytes. */
export const MOST_BYTES = 10 * 1024 * 1024

export const BOUNDS: SheetBounds = { rows: 5_000, columns: 100, characters: 5_000, unpackedBytes: 64 * 1024 * 1024 }

/** Milliseconds that reading a file may take. */
const TIME_LIMIT = 15_000

const turns = new Semaphore(2, 2 * TIME_LIMIT, bomErrors.too_many_tables, 20)

/** The headings of a table, each once, and its rows, each as long as the headings; null where a cell is empty. */
export type Table = { columns: string[]; rows: (string | null)[][] }

/**
 * Reads the first sheet of a file. Its first row has the headings.
 * @throws FieldError when the file cannot be read, or is larger than `BOUNDS`
 * @throws Problem `unavailable` (503) when too many others are read
 */
export async function readSheet(content: Uint8Array, kind: string): Promise<Table> {
  const [head, ...rows] = await turns.run(() => inOwnThread({ content, kind, bounds: BOUNDS }))
  const columns = head?.map((cell) => cell?.trim() ?? '') ?? []
  if (!columns.some(Boolean)) throw new FieldError(bomErrors.table_without_headings)
  if (!rows.flat().some((cell) => cell?.trim())) throw new FieldError(bomErrors.table_without_rows)
  if (rows.length > BOUNDS.rows) throw new FieldError(bomErrors.max_table_rows({ max_rows: BOUNDS.rows }))
  if (Math.max(columns.length, ...rows.map(({ length }) => length)) > BOUNDS.columns)
    throw new FieldError(bomErrors.max_table_columns({ max_columns: BOUNDS.columns }))
  const longest = [columns, ...rows].flat().some((cell) => cell !== null && [...cell].length > BOUNDS.characters)
  if (longest) throw new FieldError(bomErrors.max_cell_length({ max_length: BOUNDS.characters }))
  const named = columns.flatMap((name, at) => (name ? [at] : []))
  const names = named.map((at) => columns[at] as string)
  if (new Set(names).size < names.length) throw new FieldError(bomErrors.table_heading_twice)
  return { columns: names, rows: rows.map((row) => named.map((at) => row[at] ?? null)) }
}

const inOwnThread = (request: SheetRequest) =>
  inThread<(string | null)[][]>(entryUrl('resources/bom/import/sheet-worker'), request, {
    timeLimit: TIME_LIMIT,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    refusal: () => new FieldError(bomErrors.unreadable_table),
  })
