import { FieldError } from '../../kit/request/errors.ts'
import { getExtension } from '../../kit/services/files.ts'
import type { Services } from '../../kit/services/services.ts'
import { readTable, type Table, type TableBounds, type TableChoices, type TableReader } from '../../spreadsheets/read-table.ts'
import { tableErrors } from '../../spreadsheets/table-errors.ts'
import { createHeadingFinder } from './guess-columns.ts'
import { describeImportFields } from './import-fields.ts'
import type { ImportModel } from './import-models.ts'

/** Maximum size of a file, in bytes. */
export const MAX_IMPORT_BYTES = 32 * 1024 * 1024

export const IMPORT_BOUNDS: TableBounds = { rows: 50_000, columns: 250, characters: 50_000, unpackedBytes: 256 * 1024 * 1024 }

/** Limits of the thread that reads a file. */
const TIMEOUT_MS = 60_000
const MEMORY_MB = 1024

/** The column that stores a heading is no longer than this, in characters. */
const MAX_COLUMN_LENGTH = 100

const TEXT_KINDS = ['csv', 'tsv', 'txt']

/** Whether the numbers of a file are written for people; those of a workbook always have a decimal point. */
export const isTextFile = (path: string): boolean => TEXT_KINDS.includes(getExtension(path))

/**
 * Reads the table in the file of an import.
 * @param model the type whose fields the heading row names
 * @throws FieldError when it cannot be read or exceeds the limits
 */
export async function readDataFile(
  services: Services,
  path: string,
  { model, choices = {}, account }: { model: ImportModel | undefined; choices?: TableChoices; account: number | undefined },
): Promise<Table> {
  const chunks: Buffer[] = []
  for await (const chunk of services.files.read(path)) chunks.push(chunk as Buffer)
  const findHeadingRow = model ? createHeadingFinder(model, describeImportFields(model, services, true)) : () => 0
  const reader: TableReader = { bounds: IMPORT_BOUNDS, timeoutMs: TIMEOUT_MS, memoryMb: MEMORY_MB, findHeadingRow }
  const table = await readTable(Buffer.concat(chunks), getExtension(path), choices, account, reader)
  requireText(table)
  const unmark = isTextFile(path) ? unmarkFormula : (cell: string | null) => cell
  return {
    ...table,
    columns: shorten(table.columns.map((column) => unmark(column) ?? '')),
    rows: table.rows.map((row) => row.map(unmark)),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are rejected
const NO_TEXT = /[\u0000\uFFFD]/

/** Rejects characters that no text has: those of other types of files, and bytes that the encoding does not have. */
function requireText({ columns, rows, rowNumbers, headingRow }: Table): void {
  const isDamaged = (cell: string | null) => cell !== null && (NO_TEXT.test(cell) || !cell.isWellFormed())
  if (columns.some(isDamaged)) throw new FieldError(tableErrors.table_not_text({ row: headingRow }))
  const index = rows.findIndex((row) => row.some(isDamaged))
  if (index >= 0) throw new FieldError(tableErrors.table_not_text({ row: rowNumbers[index] as number }))
}

/** Removes the mark by which exports keep a text from being a formula. */
const unmarkFormula = (cell: string | null): string | null => (cell !== null && /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** Shortens headings, still without duplicates. */
function shorten(columns: readonly string[]): string[] {
  const used = new Set<string>()
  return columns.map((column) => {
    let name = [...column].slice(0, MAX_COLUMN_LENGTH).join('')
    for (let index = 2; used.has(name); index++) {
      const suffix = ` (${index})`
      name = [...column].slice(0, MAX_COLUMN_LENGTH - suffix.length).join('') + suffix
    }
    used.add(name)
    return name
  })
}
