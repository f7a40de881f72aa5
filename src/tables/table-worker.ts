// Runs in a thread of its own (read-table.ts): the time and memory that a hostile file takes end with it.
import { parentPort, workerData } from 'node:worker_threads'
import * as spreadsheet from '@e965/xlsx'
import { unzipSync, type Zippable, zipSync } from 'fflate'
import { looksLikeDate } from './date-text.ts'
import { readDelimited } from './delimited-text.ts'
import { type Cells, countHeadings, MAX_PREAMBLE_ROWS } from './headings.ts'
import type { RawTable, TableRequest } from './read-table.ts'
import { decodeText } from './text-encoding.ts'

/** Of a workbook only its texts are read: pictures and programs stay packed. */
const READ = /\.(xml|rels)$/i

const { content, kind, bounds, choices } = workerData as TableRequest

/** How many rows are handed over: those that may be, one more, which is too many, and those before the headings. */
const MAX_ROWS = bounds.rows + MAX_PREAMBLE_ROWS + 2

const asText = (value: unknown): string | null => (value === null || value === undefined || value === '' ? null : String(value))

/** The rows that hold anything, each with its number. One cell more than there may be columns tells that there are too many. */
const numbered = (rows: readonly (readonly unknown[])[]): RawTable['rows'] =>
  rows.flatMap((row, at) => {
    const cells = Array.from(row.slice(0, bounds.columns + 1), asText)
    while (cells.length > 0 && !cells.at(-1)?.trim()) cells.pop()
    return cells.length > 0 ? [{ number: at + 1, cells }] : []
  })

function readText(): RawTable {
  const { text, encoding } = decodeText(content, choices.encoding)
  const isTabbed = kind === 'tsv' && text.includes('\t')
  const { rows, separator } = readDelimited(text, choices.separator ?? (isTabbed ? '\t' : undefined), 2 * MAX_ROWS)
  return { rows: numbered(rows).slice(0, MAX_ROWS), separator, encoding }
}

/** A workbook in which nothing is packed any more, and no more is than it says and may. */
function unpacked(bytes: Uint8Array): Uint8Array {
  let room = bounds.unpackedBytes
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

/** Fifteen digits are what a workbook is sure of: 0.1 + 0.2 is 0.3. */
const rounded = (value: number): string => String(Number(value.toPrecision(15)))

/** Whether a format makes a part number of a whole number: it puts zeros before it, or letters and dashes around its digits. */
function isCode(shown: string, value: number): boolean {
  if (!Number.isInteger(value) || value < 0) return false
  const upToDigits = shown.replace(/\D*$/, '')
  const digits = upToDigits.replaceAll(/\D/g, '')
  const plain = String(value)
  return digits.endsWith(plain) && !/[.,]/.test(upToDigits) && (digits.length > plain.length || /[\p{L}/_#-]/u.test(upToDigits))
}

/**
 * A cell as it was written: a workbook keeps 5 % as 0.05, and 00123 as 123 with a format. What it made a date stays one, as it is shown, so
 * that it is not taken for a number.
 */
function textOf(cell: spreadsheet.CellObject | undefined): unknown {
  if (cell?.v === undefined) return null
  const { v: value, z: format, w: shown = '' } = cell
  if (cell.t === 'e') return shown || '#N/A'
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (typeof value !== 'number') return value
  if (isPercentage(format)) return `${rounded(value * 100)}%`
  if (typeof format === 'string' && spreadsheet.SSF.is_date(format))
    return looksLikeDate(shown) ? shown : spreadsheet.SSF.format('yyyy-mm-dd', value)
  return isCode(shown, value) ? shown.trim() : rounded(value)
}

type Sheet = spreadsheet.WorkSheet | undefined

/** The rows of a sheet up to so many with cells; how far it reaches is seen by its cells: what the workbook says of it may be outdated. */
function rowsOf(sheet: Sheet): RawTable['rows'] {
  const rows: RawTable['rows'] = []
  // by what there is: a sheet may have millions of blank rows before the next cell, and a row thousands of blank columns
  for (const [place, row] of Object.entries(sheet?.['!data'] ?? [])) {
    const [first] = numbered([Array.from(row.slice(0, bounds.columns + 1), textOf)])
    if (first) rows.push({ ...first, number: Number(place) + 1 })
    if (rows.length === MAX_ROWS) break
  }
  return rows
}

const headingsIn = (rows: readonly { cells: Cells }[]): number => Math.max(0, ...rows.map(({ cells }) => countHeadings(cells)))

function readWorkbook(): RawTable {
  const bytes = kind === 'xlsx' ? unpacked(content) : content
  const options = { type: 'array', dense: true, nodim: true, cellNF: true, cellFormula: false, cellHTML: false } as const
  // of all sheets only the first rows, by which the one is found that is read whole
  const start = spreadsheet.read(bytes, { ...options, sheetRows: MAX_PREAMBLE_ROWS })
  const hidden = start.Workbook?.Sheets ?? []
  const visible = start.SheetNames.filter((_, at) => !hidden[at]?.Hidden)
  const sheets = visible.length > 0 ? visible : start.SheetNames
  if (choices.sheet !== undefined && !start.SheetNames.includes(choices.sheet)) return { rows: [], sheets }
  const scored = sheets.map((name) => ({ name, score: headingsIn(rowsOf(start.Sheets[name])) }))
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  const filled = sheets.find((name) => rowsOf(start.Sheets[name]).length > 0)
  const sheet = choices.sheet ?? (best && best.score > 0 ? best.name : (filled ?? sheets[0]))
  if (sheet === undefined) return { rows: [], sheets }
  const book = spreadsheet.read(bytes, { ...options, sheets: start.SheetNames.indexOf(sheet) })
  return { rows: rowsOf(book.Sheets[sheet]), sheets, sheet }
}

parentPort?.postMessage(['csv', 'tsv', 'txt'].includes(kind) ? readText() : readWorkbook())
