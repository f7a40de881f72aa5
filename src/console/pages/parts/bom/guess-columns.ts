import { isNumber } from '../../../../tables/numbers.ts'

/** Columns that can name the component of a row. */
export const COMPONENT_COLUMNS = ['part', 'part_id', 'part_name', 'part_ipn', 'part_mpn', 'part_sku']

/**
 * Guesses the meaning of columns with unknown headings where their cells leave little doubt: the column with the most numbers or names of
 * parts names the components, even if some of its cells are unknown, and the column of numbers is the quantity.
 * @param meanings the meaning of each column by its heading; an empty text if that is unknown
 * @param findExisting returns those of the texts that are numbers or names of parts
 */
export async function guessColumns(
  meanings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  findExisting: (texts: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly string[]> {
  const filled = rows.filter((row) => row.some((cell) => cell?.trim()))
  const isNamed = meanings.some((name) => COMPONENT_COLUMNS.includes(name))
  /** The cells of each column that has no meaning yet and is at least half filled; a note column may name components. */
  const open = meanings.flatMap((name, at) => {
    const cells = filled.map((row) => (row[at]?.trim() ? (row[at] as string) : ''))
    return (name === '' || (name === 'note' && !isNamed)) && isHalf(cells.filter(Boolean), cells) ? [{ at, cells }] : []
  })
  let guess = meanings
  if (!isNamed && open.length > 0) {
    const existingNumbers = await findExisting([...new Set(open.flatMap(({ cells }) => cells.filter(Boolean)))])
    const component = componentIn(open, existingNumbers)
    if (component !== undefined) guess = guess.with(component, 'part')
  }
  if (!meanings.includes('quantity')) {
    const numbers = open.filter(({ at, cells }) => guess[at] === '' && cells.every(isNumber) && !areRowNumbers(cells))
    if (numbers.length === 1) guess = guess.with((numbers[0] as { at: number }).at, 'quantity')
  }
  return guess
}

const isHalf = (some: readonly string[], all: readonly string[]): boolean => some.length > 0 && some.length * 2 >= all.length

type Column = { at: number; cells: readonly string[] }

/**
 * The one column with more known cells than every other one. Numbers may be IPNs, but are more likely quantities: they count as IPNs if all
 * of them are known and no texts are.
 */
function componentIn(columns: readonly Column[], existingNumbers: ReadonlySet<string>): number | undefined {
  const fitting = columns.flatMap(({ at, cells }) => {
    const matches = cells.filter((cell) => existingNumbers.has(cell))
    const isOfNumbers = cells.every((cell) => !cell || isNumber(cell))
    const isOne = isOfNumbers ? matches.length === cells.length : isHalf(matches, cells)
    return isOne ? [{ at, isOfNumbers, count: matches.length }] : []
  })
  const texts = fitting.filter(({ isOfNumbers }) => !isOfNumbers)
  const [best, next] = (texts.length > 0 ? texts : fitting).toSorted((one, other) => other.count - one.count)
  return best && best.count > (next?.count ?? 0) ? best.at : undefined
}

/** Whether these are consecutive row numbers, in steps of one or ten. */
const areRowNumbers = (cells: readonly string[]): boolean =>
  cells.length > 1 && [1, 10].some((step) => cells.every((cell, at) => Number(cell) === (at + 1) * step))
