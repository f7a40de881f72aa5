// Runs in a thread of its own (read-sheet.ts): what a hostile file takes of time and memory ends with it.
import { parentPort, workerData } from 'node:worker_threads'
import * as spreadsheet from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { unzipSync, type Zippable, zipSync } from 'fflate'
import type { SheetBounds, SheetRequest } from './read-sheet.ts'

/** Of a workbook only its texts are read: pictures and programs stay packed. */
const READ = /\.(xml|rels)$/i

const { content, kind, bounds } = workerData as SheetRequest

/** A text in UTF-8 or UTF-16, else as Windows writes it in Western Europe. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The sign that stands between columns: of those that are usual the one that the first line has most of. */
function separatorOf(text: string): string {
  const [head = ''] = text.split(/\r?\n/, 1)
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] as string
}

const readText = (text: string, separator: string, { rows }: SheetBounds): unknown[][] =>
  parse(text, { delimiter: separator, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, to: rows + 2 })

/** A workbook in which nothing is packed any more, and no more is than it says and may. */
function unpacked(bytes: Uint8Array, { unpackedBytes }: SheetBounds): Uint8Array {
  let room = unpackedBytes
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!READ.test(name)) return false
      room -= originalSize
      if (room < 0) throw new Error('too large')
      return true
    },
  })
  return zipSync(parts as Zippable, { level: 0 })
}

/** Whether a number is shown as a share of a hundred. In quotes, or behind a backslash, stands what is shown as it is. */
const isPercentage = (format: unknown): boolean =>
  String(format ?? '')
    .replaceAll(/"[^"]*"|\\./g, '')
    .includes('%')

/** A workbook keeps 5 % as 0.05: it is read as it was written, as out of a text file. Fifteen digits are what the workbook is sure of. */
function writeOutPercentages(cells: readonly (spreadsheet.CellObject | undefined)[]): void {
  for (const cell of cells)
    if (typeof cell?.v === 'number' && isPercentage(cell.z)) {
      cell.v = `${Number((cell.v * 100).toPrecision(15))}%`
      cell.t = 's'
    }
}

function readWorkbook(bytes: Uint8Array, { rows, columns }: SheetBounds): unknown[][] {
  const book = spreadsheet.read(bytes, {
    type: 'array',
    dense: true,
    sheets: 0,
    nodim: true,
    cellNF: true,
    cellFormula: false,
    cellHTML: false,
  })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  // how far a sheet reaches is seen by its cells: what the workbook says of it may be outdated, and blank rows may be many
  const holds = (cell: spreadsheet.CellObject | undefined) => cell?.v !== undefined && cell.v !== ''
  // of a row only the cells that there are: it may be thousands of columns wide
  const filled = Object.values(sheet?.['!data'] ?? []).filter((row) => Object.values(row).some(holds))
  if (!sheet || filled.length === 0) return []
  sheet['!data'] = filled.slice(0, rows + 2)
  for (const row of sheet['!data']) writeOutPercentages(Object.values(row))
  const width = Math.max(...sheet['!data'].map(({ length }) => length))
  sheet['!ref'] = spreadsheet.utils.encode_range({
    s: { r: 0, c: 0 },
    e: { r: sheet['!data'].length - 1, c: Math.min(width - 1, columns) },
  })
  return spreadsheet.utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: true, defval: null, blankrows: false })
}

function read(): unknown[][] {
  if (kind === 'tsv') return readText(decode(content), '\t', bounds)
  if (kind === 'csv') {
    const text = decode(content)
    return readText(text, separatorOf(text), bounds)
  }
  return readWorkbook(kind === 'xlsx' ? unpacked(content, bounds) : content, bounds)
}

const asText = (value: unknown): string | null => (value === null || value === undefined || value === '' ? null : String(value))

parentPort?.postMessage(read().map((row) => Array.from(row, asText)))
