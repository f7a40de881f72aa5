// Runs in a thread of its own (list-file.ts), so that the main thread can serve other requests.
import { parentPort, workerData } from 'node:worker_threads'
import * as spreadsheet from '@e965/xlsx'
import { stringify } from 'csv-stringify/sync'
import type { ListFile } from './list-file.ts'

type Cell = string | number | boolean | null

const { rows, headings, kind } = workerData as ListFile
const SEPARATORS = { csv: ',', tsv: '\t' } as Record<string, string | undefined>
const BOOK_TYPES = { xls: 'biff8', xlsx: 'xlsx' } as const

/** Maximum number of characters in a cell of a workbook. */
const MAX_CELL_LENGTH = 32_767

/**
 * The cells of a row, by column: each field of an object separately, such as `part_detail.name`. A list of strings becomes one string, a
 * list of objects stays JSON.
 */
function flattenObject(object: Record<string, unknown>, prefix = ''): Record<string, Cell> {
  const cells: Record<string, Cell> = {}
  for (const [name, value] of Object.entries(object)) {
    const column = prefix + name
    if (typeof value !== 'object' || value === null) cells[column] = value as Cell
    else if (!Array.isArray(value)) Object.assign(cells, flattenObject(value as Record<string, unknown>, `${column}.`))
    else cells[column] = value.some((item) => typeof item === 'object') ? JSON.stringify(value) : value.join(', ')
  }
  return cells
}

/** The columns of all rows, in the order of the rows: an object that is null in the first row has its columns in another. */
function collectColumns(objects: readonly Record<string, unknown>[]): string[] {
  const columns: string[] = []
  const seen = new Set<string>()
  for (const object of objects) {
    let last: string | undefined
    for (const name of Object.keys(flattenObject(object))) {
      if (!seen.has(name)) {
        seen.add(name)
        columns.splice(last === undefined ? 0 : columns.indexOf(last) + 1, 0, name)
      }
      last = name
    }
  }
  // if an object is missing in a row, its name is a column without children
  return columns.filter((name) => !columns.some((other) => other.startsWith(`${name}.`)))
}

/** Marks a string that spreadsheet programs would take for a formula as text, with their own mark. Negative amounts are not marked. */
const escapeFormula = (cell: Cell): Cell =>
  typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell

function writeTable(): Uint8Array {
  const objects = JSON.parse(rows) as Record<string, unknown>[]
  const columns = objects.length > 0 ? collectColumns(objects) : headings
  const table: Cell[][] = []
  // in reverse order: each object can be freed once its row is written
  for (let object = objects.pop(); object; object = objects.pop()) {
    const cells = flattenObject(object)
    table.push(columns.map((name) => cells[name] ?? null))
  }
  table.reverse()
  const delimiter = SEPARATORS[kind]
  if (delimiter) {
    const cells = [columns, ...table.map((row) => row.map(escapeFormula))]
    // by itself, it quotes a cell only for the line break that ends a record
    const options = { delimiter, record_delimiter: 'windows', quoted_match: /[\r\n]/, cast: { boolean: String } } as const
    return Buffer.from(stringify(cells, options))
  }
  const truncatedTable = table.map((row) => row.map((cell) => (typeof cell === 'string' ? cell.slice(0, MAX_CELL_LENGTH) : cell)))
  const book = spreadsheet.utils.book_new()
  spreadsheet.utils.book_append_sheet(book, spreadsheet.utils.aoa_to_sheet([[...columns], ...truncatedTable], { dense: true }))
  return spreadsheet.write(book, { type: 'buffer', bookType: BOOK_TYPES[kind as 'xls' | 'xlsx'], compression: true })
}

parentPort?.postMessage(writeTable())
