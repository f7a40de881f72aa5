import { countHeadings, findMostFrequent } from './headings.ts'

/** Column separators, sorted by how rarely they occur inside cells. */
export const SEPARATORS = ['\t', ';', '|', ','] as const
export type Separator = (typeof SEPARATORS)[number]

/** The rows of a text, including blank ones, so that the index of each is its number in a spreadsheet minus one. */
type DelimitedText = { rows: string[][]; separator: Separator }

/**
 * Reads a text with separated columns.
 * @param chosen the separator if it is known; otherwise the one in a first line `sep=;`, otherwise the one that splits most of the text into a table
 * @param maxRows maximum number of rows to read
 */
export function readDelimited(text: string, chosen?: Separator, maxRows = Number.POSITIVE_INFINITY): DelimitedText {
  const [line = '', declaredSeparator] = /^\uFEFF?"?sep=(.)"?[ \t]*(?:\r\n|\r|\n|$)/i.exec(text) ?? []
  const rest = text.slice(line.length)
  const isKnown = SEPARATORS.includes(declaredSeparator as Separator)
  const separator = chosen ?? (isKnown ? (declaredSeparator as Separator) : guessSeparator(rest))
  const rows = parseDelimited(rest, separator, maxRows)
  return { rows: line ? [[], ...rows] : rows, separator }
}

/**
 * Whether a text is a single search term, and not a part of a table. A name may contain a comma.
 * @param rows its rows that are not blank
 */
export const isSingleText = (rows: readonly (readonly string[])[], separator: Separator): boolean =>
  rows.length < 2 && ((rows[0]?.length ?? 0) < 2 || separator === ',')

/** Length of the sample in which the separator is detected, in characters. */
const MAX_SAMPLE_CHARACTERS = 64 * 1024
const MAX_SAMPLE_ROWS = 100

/** Detects the separator with the most known headings or, if that is a tie, the one with the most rows of equal length. */
function guessSeparator(text: string): Separator {
  const sample = text.slice(0, MAX_SAMPLE_CHARACTERS)
  const scores = SEPARATORS.map((separator) => {
    const rows = parseDelimited(sample, separator, MAX_SAMPLE_ROWS).filter((row) => row.length > 1)
    return {
      separator,
      headings: Math.max(0, ...rows.map(countHeadings)),
      sameLength: findMostFrequent(rows.map(({ length }) => length)).count,
    }
  })
  const [best] = scores.toSorted((one, other) => other.headings - one.headings || other.sameLength - one.sameLength)
  return best && best.sameLength > 0 ? best.separator : ','
}

/**
 * Splits a text into cells by RFC 4180 with the extensions of spreadsheets: a quotation mark inside a cell is a normal character, and so is
 * one that is never closed; `="00123"` is the text `00123`.
 */
function parseDelimited(text: string, separator: Separator, maxRows: number): string[][] {
  const rows: string[][] = []
  let offset = text.startsWith('\uFEFF') ? 1 : 0
  while (offset < text.length && rows.length < maxRows) {
    const row: string[] = []
    for (let isInRow = true; isInRow; ) {
      const { cell, end } = readCell(text, offset, separator)
      row.push(cell)
      isInRow = text[end] === separator
      offset = isInRow || text[end] !== '\r' || text[end + 1] !== '\n' ? end + 1 : end + 2
    }
    rows.push(row.length === 1 && row[0] === '' ? [] : row)
  }
  return rows
}

/** Reads the cell at an offset, and returns it with its end. */
function readCell(text: string, start: number, separator: Separator): { cell: string; end: number } {
  const opening = text.startsWith('="', start) ? start + 1 : start
  const quoted = text[opening] === '"' ? readQuoted(text, opening) : undefined
  const textStart = quoted?.end ?? start
  let end = textStart
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { cell: (quoted?.cell ?? '') + text.slice(textStart, end), end }
}

/** Returns the text in quotation marks, and the offset after it; undefined when they are never closed. */
function readQuoted(text: string, opening: number): { cell: string; end: number } | undefined {
  let cell = ''
  for (let textStart = opening + 1; ; ) {
    const closing = text.indexOf('"', textStart)
    if (closing < 0) return undefined
    cell += text.slice(textStart, closing)
    if (text[closing + 1] !== '"') return { cell, end: closing + 1 }
    cell += '"'
    textStart = closing + 2
  }
}
