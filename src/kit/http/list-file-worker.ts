// Runs in a thread of its own (list-file.ts), so that other requests are answered meanwhile.
import { parentPort, workerData } from 'node:worker_threads'
import * as spreadsheet from '@e965/xlsx'
import { stringify } from 'csv-stringify/sync'
import type { ListFile } from './list-file.ts'

type Cell = string | number | boolean | null

const { rows, headings, kind } = workerData as ListFile
const separator = { csv: ',', tsv: '\t' } as Record<string, string | undefined>
const bookType = { xls: 'biff8', xlsx: 'xlsx' } as const

/** The most characters of a cell of a workbook. */
const LONGEST = 32_767

/** A list of texts reads as one text; what holds objects stays JSON. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell)
}

/** A text that programs for tables would take for a formula is marked as a text, as they do themselves; an amount below zero is none. */
const plainText = (cell: Cell): Cell =>
  typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell

function write(): Uint8Array {
  const objects = JSON.parse(rows) as Record<string, unknown>[]
  const columns = objects[0] ? Object.keys(objects[0]) : headings
  const table = objects.map((object) => columns.map((name) => cellOf(object[name])))
  const delimiter = separator[kind]
  if (delimiter) {
    const cells = [columns, ...table.map((row) => row.map(plainText))]
    return Buffer.from(stringify(cells, { delimiter, record_delimiter: 'windows', cast: { boolean: String } }))
  }
  const short = table.map((row) => row.map((cell) => (typeof cell === 'string' ? cell.slice(0, LONGEST) : cell)))
  const book = spreadsheet.utils.book_new()
  spreadsheet.utils.book_append_sheet(book, spreadsheet.utils.aoa_to_sheet([[...columns], ...short]))
  return spreadsheet.write(book, { type: 'buffer', bookType: bookType[kind as 'xls' | 'xlsx'], compression: true })
}

parentPort?.postMessage(write())
