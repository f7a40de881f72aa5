import { HEADING_WORDS, type HeadingField } from './heading-words.ts'
import { isNumber } from './numbers.ts'

/** Cells of a row; null for an empty one. */
export type Cells = readonly (string | null)[]

/** A heading without case, accents, signs and spaces: `Q.tà` and `QTA` are one. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('№', 'no')
    .replaceAll(/\p{M}/gu, '')
    // a number sign says something, as in `Part #`; alone it counts rows
    .replaceAll(/(?<=[\p{L}\p{N}][^\p{L}\p{N}]*)#/gu, 'no')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** What a heading may be looked up by: as it is, and without what stands in brackets, such as a unit. */
const formsOf = (heading: string): string[] =>
  [plain(heading), plain(heading.replaceAll(/[([（【{][^)\]）】}]*[)\]）】}]/g, ''))].filter(Boolean)

type Known = { field: HeadingField; rank: number }

const KNOWN: ReadonlyMap<string, Known> = new Map(
  Object.entries(HEADING_WORDS).flatMap(([field, words]) =>
    Object.values(words)
      .flatMap((list: string) => list.split(/,\s+/))
      .map((word, rank): [string, Known] => [plain(word), { field: field as HeadingField, rank }])
      .toReversed(),
  ),
)

/** The field that a heading names, and how far from the front its word stands among those of the field. */
export function fieldOfHeading(heading: string | null): Known | undefined {
  for (const form of formsOf(heading ?? '')) {
    const known = KNOWN.get(form)
    if (known) return known
  }
}

/** How many fields a row names, if it were the one with the headings. */
export const countHeadings = (row: Cells): number => new Set(row.flatMap((cell) => fieldOfHeading(cell)?.field ?? [])).size

/** The most rows that are looked through for headings: a preamble is not longer. */
export const MAX_PREAMBLE_ROWS = 200

/**
 * The place of the row with the headings, from 0; undefined where the rows have none. It is the one that names most fields: a word that the
 * row beside it has too, such as a unit, names none. Where no row names any, it is the first that is as wide as most, if it has no number and
 * rows below it have: any other row may be one like all.
 */
export function findHeadingRow(rows: readonly Cells[]): number | undefined {
  const first = rows.slice(0, MAX_PREAMBLE_ROWS)
  const counts = first.map((row, at) => {
    const count = countHeadings(row.filter((cell, place) => cell !== rows[at - 1]?.[place] && cell !== rows[at + 1]?.[place]))
    return count === 1 && hasNumber(row) ? 0 : count
  })
  const score = (at: number) => (counts[at] ?? 0) * 1000 + filledIn(first[at] ?? [])
  const best = counts.reduce((found, _, at) => (score(at) > score(found) ? at : found), 0)
  if (counts[best]) return best
  const width = usualWidth(rows)
  const at = first.findIndex((row) => filledIn(row) * 2 > width)
  return at >= 0 && !hasNumber(first[at] ?? []) && rows.slice(at + 1).some(hasNumber) ? at : undefined
}

const hasNumber = (row: Cells): boolean => row.some((cell) => isNumber(cell ?? ''))

const filledIn = (row: Cells): number => row.filter((cell) => cell?.trim()).length

/** The number that occurs most often, the first of several, and how often; zeros where there are no numbers. */
export function mostFrequent(numbers: readonly number[]): { value: number; count: number } {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  const [value, count] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [0, 0]
  return { value, count }
}

/** How many cells of a row are filled in, in most rows. */
const usualWidth = (rows: readonly Cells[]): number => mostFrequent(rows.map(filledIn).filter(Boolean)).value

/** The rows that are filled in like most, so not the sums and counts that programs write under a table. */
export function bodyRows<Row extends Cells>(rows: readonly Row[]): Row[] {
  const width = usualWidth(rows)
  return rows.filter((row) => filledIn(row) * 2 > width)
}

/** Whether cells number the rows: 1, 2, 3 or 10, 20, 30, with gaps, in any order, or as 1.1, 1.2. They say nothing of what is in a row. */
export function areRunningNumbers(cells: Cells): boolean {
  const filled = cells.flatMap((cell) => cell?.trim() || [])
  if (filled.length === 0 || !filled.every((cell) => /^(0|[1-9]\d{0,4})(\.\d{1,3})*\.?$/.test(cell))) return false
  if (filled.some((cell) => /\.\d/.test(cell))) return isAscending(filled.map((cell) => Number.parseInt(cell, 10)))
  const numbers = filled.map((cell) => Number.parseInt(cell, 10))
  const isOnce = new Set(numbers).size === numbers.length
  return (isOnce || isAscending(numbers)) && Math.min(...numbers) <= 10 && Math.max(...numbers) <= 10 * numbers.length
}

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || number >= Number(numbers[at - 1]))
