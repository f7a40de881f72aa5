// Runs in a thread of its own (list-file.ts), so that the main thread can serve other requests.
import { parentPort, workerData } from 'node:worker_threads'
import * as spreadsheet from '@e965/xlsx'
import { stringify } from 'csv-stringify/sync'
import type { ListFile } from './list-file.ts'

type Cell = string | number | boolean | null

const { rows, headings, kind } = workerData as ListFile
const separator = { csv: ',', tsv: '\t' } as Record<string, string | undefined>
const bookType = { xls: 'biff8', xlsx: 'xlsx' } as const

/** Maximum number of characters in a cell of a workbook. */
const MAX_CELL_LENGTH = 32_767

/**
 * The cells of a row, by column: each field of an object separately, such as `part_detail.name`. A list of texts becomes one text, a list
 * of objects stays JSON.
 */
function cellsOf(object: Record<string, unknown>, before = ''): Record<string, Cell> {
  const cells: Record<string, Cell> = {}
  for (const [name, value] of Object.entries(object)) {
    const column = before + name
    if (typeof value !== 'object' || value === null) cells[column] = value as Cell
    else if (!Array.isArray(value)) Object.assign(cells, cellsOf(value as Record<string, unknown>, `${column}.`))
    else cells[column] = value.some((item) => typeof item === 'object') ? JSON.stringify(value) : value.join(', ')
  }
  return cells
}

/** The columns of all rows, each after its predecessor in its row: an object that is missing in the first row has its columns in another. */
function columnsOf(objects: readonly Record<string, unknown>[]): string[] {
  const columns: string[] = []
  const seen = new Set<string>()
  for (const object of objects) {
    let last: string | undefined
    for (const name of Object.keys(cellsOf(object))) {
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

/** Marks a text that spreadsheet programs would take for a formula as a text, as they do themselves; negative amounts are not marked. */
const plainText = (cell: Cell): Cell =>
  typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell

function write(): Uint8Array {
  const objects = JSON.parse(rows) as Record<string, unknown>[]
  const columns = objects.length > 0 ? columnsOf(objects) : headings
  const table: Cell[][] = []
  // in reverse order: each object can be freed once its row is written
  for (let object = objects.pop(); object; object = objects.pop()) {
    const cells = cellsOf(object)
    table.push(columns.map((name) => cells[name] ?? null))
  }
  table.reverse()
  const delimiter = separator[kind]
  if (delimiter) {
    const cells = [columns, ...table.map((row) => row.map(plainText))]
    return Buffer.from(stringify(cells, { delimiter, record_delimiter: 'windows', cast: { boolean: String } }))
  }
  const short = table.map((row) => row.map((cell) => (typeof cell === 'string' ? cell.slice(0, MAX_CELL_LENGTH) : cell)))
  const book = spreadsheet.utils.book_new()
  spreadsheet.utils.book_append_sheet(book, spreadsheet.utils.aoa_to_sheet([[...columns], ...short], { dense: true }))
  return spreadsheet.write(book, { type: 'buffer', bookType: bookType[kind as 'xls' | 'xlsx'], compression: true })
}

parentPort?.postMessage(write())
