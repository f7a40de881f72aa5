import { HEADING_WORDS, type HeadingField } from './heading-words.ts'
import { isNumber } from './numbers.ts'

/** Cells of a row; null for an empty one. */
export type Cells = readonly (string | null)[]

/** Normalizes a heading: without case, accents, punctuation and spaces, so that `Q.tà` and `QTA` are equal. */
const normalizeHeading = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('№', 'no')
    .replaceAll(/\p{M}/gu, '')
    // a number sign is significant in `Part #`; alone it heads the row numbers
    .replaceAll(/(?<=[\p{L}\p{N}][^\p{L}\p{N}]*)#/gu, 'no')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns the forms to look a heading up by: unchanged, and without text in brackets, such as a unit. */
export const getLookupForms = (heading: string): string[] =>
  [normalizeHeading(heading), normalizeHeading(heading.replaceAll(/[([（【{][^)\]）】}]*[)\]）】}]/g, ''))].filter(Boolean)

type HeadingMatch = { field: HeadingField; rank: number }

const HEADING_MATCHES: ReadonlyMap<string, HeadingMatch> = new Map(
  Object.entries(HEADING_WORDS).flatMap(([field, words]) =>
    Object.values(words)
      .flatMap((list: string) => list.split(/,\s+/))
      .map((word, rank): [string, HeadingMatch] => [normalizeHeading(word), { field: field as HeadingField, rank }])
      .toReversed(),
  ),
)

/** Returns the field of a heading, and the position of its word among those of the field. */
export function findHeadingField(heading: string | null): HeadingMatch | undefined {
  for (const form of getLookupForms(heading ?? '')) {
    const match = HEADING_MATCHES.get(form)
    if (match) return match
  }
}

/** Counts the fields that a row would name as the heading row. */
export const countHeadings = (row: Cells): number => new Set(row.flatMap((cell) => findHeadingField(cell)?.field ?? [])).size

/** Maximum number of rows that are searched for headings: preambles are shorter. */
export const MAX_PREAMBLE_ROWS = 200

/**
 * Returns the index of the heading row, from 0; undefined when there is none. It is the row that names the most fields; a word that an
 * adjacent row repeats, such as a unit, does not count. If no row names any, it is the first row with more than half the usual number of
 * filled cells, provided that it has no number and rows below it have: any other row may be a normal one.
 */
export function findHeadingRow(rows: readonly Cells[]): number | undefined {
  const first = rows.slice(0, MAX_PREAMBLE_ROWS)
  const counts = first.map((row, index) => {
    const count = countHeadings(
      row.filter((cell, column) => cell !== rows[index - 1]?.[column] && cell !== rows[index + 1]?.[column]),
    )
    return count === 1 && hasNumber(row) ? 0 : count
  })
  const score = (index: number) => (counts[index] ?? 0) * 1000 + countFilledCells(first[index] ?? [])
  const best = counts.reduce((bestIndex, _, index) => (score(index) > score(bestIndex) ? index : bestIndex), 0)
  if (counts[best]) return best
  const width = getTypicalWidth(rows)
  const index = first.findIndex((row) => countFilledCells(row) * 2 > width)
  return index >= 0 && !hasNumber(first[index] ?? []) && rows.slice(index + 1).some(hasNumber) ? index : undefined
}

const hasNumber = (row: Cells): boolean => row.some((cell) => isNumber(cell ?? ''))

const countFilledCells = (row: Cells): number => row.filter((cell) => cell?.trim()).length

/** Returns the most frequent number, the first of several, and its count; zeros when there are no numbers. */
export function findMostFrequent(numbers: readonly number[]): { value: number; count: number } {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  const [value, count] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [0, 0]
  return { value, count }
}

/** Returns the number of filled cells that most rows have. */
const getTypicalWidth = (rows: readonly Cells[]): number => findMostFrequent(rows.map(countFilledCells).filter(Boolean)).value

/** Returns the rows with about as many filled cells as most rows have, without the sums and counts that programs write below a table. */
export function selectBodyRows<Row extends Cells>(rows: readonly Row[]): Row[] {
  const width = getTypicalWidth(rows)
  return rows.filter((row) => countFilledCells(row) * 2 > width)
}

/** Whether cells are row numbers: 1, 2, 3 or 10, 20, 30, with gaps, in any order, or as 1.1, 1.2. They carry no data. */
export function areRunningNumbers(cells: Cells): boolean {
  const filled = cells.flatMap((cell) => cell?.trim() || [])
  if (filled.length === 0 || !filled.every((cell) => /^(0|[1-9]\d{0,4})(\.\d{1,3})*\.?$/.test(cell))) return false
  if (filled.some((cell) => /\.\d/.test(cell))) return isAscending(filled.map((cell) => Number.parseInt(cell, 10)))
  const numbers = filled.map((cell) => Number.parseInt(cell, 10))
  const isOnce = new Set(numbers).size === numbers.length
  return (isOnce || isAscending(numbers)) && Math.min(...numbers) <= 10 && Math.max(...numbers) <= 10 * numbers.length
}

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || number >= Number(numbers[index - 1]))
