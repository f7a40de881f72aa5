// Runs in a thread of its own (read-table.ts), which bounds the time and memory that a hostile file takes.
import { parentPort, workerData } from 'node:worker_threads'
import * as spreadsheet from '@e965/xlsx'
import { unzipSync, type Zippable, zipSync } from 'fflate'
import { looksLikeDate } from './date-text.ts'
import { readDelimited } from './delimited-text.ts'
import { type Cells, countHeadings, MAX_PREAMBLE_ROWS } from './headings.ts'
import type { RawTable, TableRequest } from './read-table.ts'
import { decodeText } from './text-encoding.ts'

/** Entries of a workbook that are read: images and macros stay packed. */
const READ_ENTRIES = /\.(xml|rels)$/i

const { content, kind, bounds, choices } = workerData as TableRequest

/** Maximum number of rows to return: the permitted ones, one more as a sign of too many, and those before the headings. */
const MAX_ROWS = bounds.rows + MAX_PREAMBLE_ROWS + 2

const toText = (value: unknown): string | null => (value === null || value === undefined || value === '' ? null : String(value))

/** Returns the rows that are not blank, each with its number. One cell above the column limit is kept as a sign of too many. */
const numberRows = (rows: readonly (readonly unknown[])[]): RawTable['rows'] =>
  rows.flatMap((row, index) => {
    const cells = Array.from(row.slice(0, bounds.columns + 1), toText)
    while (cells.length > 0 && !cells.at(-1)?.trim()) cells.pop()
    return cells.length > 0 ? [{ number: index + 1, cells }] : []
  })

function readText(): RawTable {
  const { text, encoding } = decodeText(content, choices.encoding)
  const isTabbed = kind === 'tsv' && text.includes('\t')
  const { rows, separator } = readDelimited(text, choices.separator ?? (isTabbed ? '\t' : undefined), 2 * MAX_ROWS)
  return { rows: numberRows(rows).slice(0, MAX_ROWS), separator, encoding }
}

/** Repacks a workbook without compression, checking that its unpacked size stays within the limit. */
function repackWorkbook(bytes: Uint8Array): Uint8Array {
  let remainingBytes = bounds.unpackedBytes
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!READ_ENTRIES.test(name)) return false
      remainingBytes -= originalSize
      if (remainingBytes < 0) throw new Error('too large')
      return true
    },
  })
  return zipSync(parts as Zippable, { level: 0 })
}

/** Whether a format shows a number as a percentage. Text in quotes, or after a backslash, is literal. */
const isPercentage = (format: unknown): boolean =>
  String(format ?? '')
    .replaceAll(/"[^"]*"|\\./g, '')
    .includes('%')

/** Rounds a number to the fifteen digits that are exact in a workbook: 0.1 + 0.2 is 0.3. */
const formatRounded = (value: number): string => String(Number(value.toPrecision(15)))

/** Whether a format turns a whole number into a part number: with leading zeros, or with letters and dashes around its digits. */
function isCode(formattedText: string, value: number): boolean {
  if (!Number.isInteger(value) || value < 0) return false
  const upToDigits = formattedText.replace(/\D*$/, '')
  const digits = upToDigits.replaceAll(/\D/g, '')
  const plain = String(value)
  return digits.endsWith(plain) && !/[.,]/.test(upToDigits) && (digits.length > plain.length || /[\p{L}/_#-]/u.test(upToDigits))
}

/**
 * Returns a cell as it was entered: a workbook stores 5 % as 0.05, and 00123 as 123 with a format. Anything that it converted to a date
 * stays a date, as displayed, so that it is not read as a number.
 */
function readCellText(cell: spreadsheet.CellObject | undefined): unknown {
  if (cell?.v === undefined) return null
  const { v: value, z: format, w: formattedText = '' } = cell
  if (cell.t === 'e') return formattedText || '#N/A'
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (typeof value !== 'number') return value
  if (isPercentage(format)) return `${formatRounded(value * 100)}%`
  if (typeof format === 'string' && spreadsheet.SSF.is_date(format))
    return looksLikeDate(formattedText) ? formattedText : spreadsheet.SSF.format('yyyy-mm-dd', value)
  return isCode(formattedText, value) ? formattedText.trim() : formatRounded(value)
}

type Sheet = spreadsheet.WorkSheet | undefined

/**
 * Returns the rows of a sheet with cells, up to the limit. The extent is taken from the cells, as the one declared in the workbook may be
 * outdated.
 */
function readRows(sheet: Sheet): RawTable['rows'] {
  const rows: RawTable['rows'] = []
  // iterates existing cells: a sheet may have millions of blank rows before the next cell, and a row thousands of blank columns
  for (const [rowIndex, row] of Object.entries(sheet?.['!data'] ?? [])) {
    const [first] = numberRows([Array.from(row.slice(0, bounds.columns + 1), readCellText)])
    if (first) rows.push({ ...first, number: Number(rowIndex) + 1 })
    if (rows.length === MAX_ROWS) break
  }
  return rows
}

const findMaxHeadings = (rows: readonly { cells: Cells }[]): number =>
  Math.max(0, ...rows.map(({ cells }) => countHeadings(cells)))

function readWorkbook(): RawTable {
  const bytes = kind === 'xlsx' || kind === 'ods' ? repackWorkbook(content) : content
  const options = { type: 'array', dense: true, nodim: true, cellNF: true, cellFormula: false, cellHTML: false } as const
  // only the first rows of all sheets, to find the one that is read in full
  const start = spreadsheet.read(bytes, { ...options, sheetRows: MAX_PREAMBLE_ROWS })
  const hidden = start.Workbook?.Sheets ?? []
  const visible = start.SheetNames.filter((_, index) => !hidden[index]?.Hidden)
  const sheets = visible.length > 0 ? visible : start.SheetNames
  if (choices.sheet !== undefined && !start.SheetNames.includes(choices.sheet)) return { rows: [], sheets }
  const scored = sheets.map((name) => ({ name, score: findMaxHeadings(readRows(start.Sheets[name])) }))
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  const filled = sheets.find((name) => readRows(start.Sheets[name]).length > 0)
  const sheet = choices.sheet ?? (best && best.score > 0 ? best.name : (filled ?? sheets[0]))
  if (sheet === undefined) return { rows: [], sheets }
  const book = spreadsheet.read(bytes, { ...options, sheets: start.SheetNames.indexOf(sheet) })
  return { rows: readRows(book.Sheets[sheet]), sheets, sheet }
}

parentPort?.postMessage(['csv', 'tsv', 'txt'].includes(kind) ? readText() : readWorkbook())
