import { countHeadings, mostFrequent } from './headings.ts'

/** The signs that stand between columns, those first that stand in a cell least often. */
export const SEPARATORS = ['\t', ';', '|', ','] as const
export type Separator = (typeof SEPARATORS)[number]

/** The rows of a text, blank ones too, so that the place of each is its number in a spreadsheet, less one. */
type DelimitedText = { rows: string[][]; separator: Separator }

/**
 * Reads a text with a sign between its columns.
 * @param chosen that sign, where somebody says it; else what a first line `sep=;` says, else the one that makes most of a table of the text
 * @param maxRows how many rows are read
 */
export function readDelimited(text: string, chosen?: Separator, maxRows = Number.POSITIVE_INFINITY): DelimitedText {
  const [line = '', said] = /^\uFEFF?"?sep=(.)"?[ \t]*(?:\r\n|\r|\n|$)/i.exec(text) ?? []
  const rest = text.slice(line.length)
  const isKnown = SEPARATORS.includes(said as Separator)
  const separator = chosen ?? (isKnown ? (said as Separator) : likeliestSeparator(rest))
  const rows = parseDelimited(rest, separator, maxRows)
  return { rows: line ? [[], ...rows] : rows, separator }
}

/**
 * Whether a text is a single one, which somebody searches, and no piece of a table. A name may have a comma.
 * @param rows its rows that are not blank
 */
export const isSingleText = (rows: readonly (readonly string[])[], separator: Separator): boolean =>
  rows.length < 2 && ((rows[0]?.length ?? 0) < 2 || separator === ',')

/** How much of a text its separator is found in. */
const MAX_SAMPLE_CHARACTERS = 64 * 1024
const MAX_SAMPLE_ROWS = 100

/** The sign by which most headings are known; where that does not tell, the one by which most rows have the same number of cells. */
function likeliestSeparator(text: string): Separator {
  const sample = text.slice(0, MAX_SAMPLE_CHARACTERS)
  const scores = SEPARATORS.map((separator) => {
    const rows = parseDelimited(sample, separator, MAX_SAMPLE_ROWS).filter((row) => row.length > 1)
    return {
      separator,
      headings: Math.max(0, ...rows.map(countHeadings)),
      alike: mostFrequent(rows.map(({ length }) => length)).count,
    }
  })
  const [best] = scores.toSorted((one, other) => other.headings - one.headings || other.alike - one.alike)
  return best && best.alike > 0 ? best.separator : ','
}

/**
 * The cells of a text by RFC 4180, and what spreadsheets make of it: a quotation mark within a cell is a sign like others, one that is never
 * closed too, and `="00123"` is the text `00123`.
 */
function parseDelimited(text: string, separator: Separator, maxRows: number): string[][] {
  const rows: string[][] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length && rows.length < maxRows) {
    const row: string[] = []
    for (let isInRow = true; isInRow; ) {
      const { cell, end } = readCell(text, at, separator)
      row.push(cell)
      isInRow = text[end] === separator
      at = isInRow || text[end] !== '\r' || text[end + 1] !== '\n' ? end + 1 : end + 2
    }
    rows.push(row.length === 1 && row[0] === '' ? [] : row)
  }
  return rows
}

/** The cell that begins at a place, and where it ends. */
function readCell(text: string, start: number, separator: Separator): { cell: string; end: number } {
  const opening = text.startsWith('="', start) ? start + 1 : start
  const quoted = text[opening] === '"' ? quotedText(text, opening) : undefined
  const from = quoted?.end ?? start
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { cell: (quoted?.cell ?? '') + text.slice(from, end), end }
}

/** What stands in quotation marks, and the place behind it; undefined where they are never closed. */
function quotedText(text: string, opening: number): { cell: string; end: number } | undefined {
  let cell = ''
  for (let from = opening + 1; ; ) {
    const closing = text.indexOf('"', from)
    if (closing < 0) return undefined
    cell += text.slice(from, closing)
    if (text[closing + 1] !== '"') return { cell, end: closing + 1 }
    cell += '"'
    from = closing + 2
  }
}
