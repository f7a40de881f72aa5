import { isNumber } from '../../../../spreadsheets/numbers.ts'

/** Columns that can name the component of a row. */
export const COMPONENT_COLUMNS = ['part', 'part_id', 'part_name', 'part_ipn', 'part_mpn', 'part_sku']

/**
 * Guesses the meaning of columns with unknown headings where their cells leave little doubt: the column with the most numbers or names of
 * parts names the components, even if some of its cells are unknown, and the column of numbers is the quantity.
 * @param meanings the meaning of each column by its heading; an empty string if that is unknown
 * @param findExisting returns the strings that are numbers or names of parts
 */
export async function guessColumns(
  meanings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  findExisting: (texts: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly string[]> {
  const filled = rows.filter((row) => row.some((cell) => cell?.trim()))
  const isNamed = meanings.some((name) => COMPONENT_COLUMNS.includes(name))
  /** The cells of each column that has no meaning yet and is at least half filled; a note column may name components. */
  const openColumns = meanings.flatMap((name, index) => {
    const cells = filled.map((row) => (row[index]?.trim() ? (row[index] as string) : ''))
    return (name === '' || (name === 'note' && !isNamed)) && isHalf(cells.filter(Boolean), cells) ? [{ index, cells }] : []
  })
  let guess = meanings
  if (!isNamed && openColumns.length > 0) {
    const existingNumbers = await findExisting([...new Set(openColumns.flatMap(({ cells }) => cells.filter(Boolean)))])
    const component = findComponentColumn(openColumns, existingNumbers)
    if (component !== undefined) guess = guess.with(component, 'part')
  }
  if (!meanings.includes('quantity')) {
    const numbers = openColumns.filter(
      ({ index, cells }) => guess[index] === '' && cells.every(isNumber) && !areRowNumbers(cells),
    )
    if (numbers.length === 1) guess = guess.with((numbers[0] as { index: number }).index, 'quantity')
  }
  return guess
}

const isHalf = (part: readonly string[], all: readonly string[]): boolean => part.length > 0 && part.length * 2 >= all.length

type Column = { index: number; cells: readonly string[] }

/**
 * The only column with more known cells than every other one. Numbers may be IPNs, but are more likely quantities: they count as IPNs if all
 * of them are known and no column of text is.
 */
function findComponentColumn(columns: readonly Column[], existingNumbers: ReadonlySet<string>): number | undefined {
  const candidates = columns.flatMap(({ index, cells }) => {
    const matches = cells.filter((cell) => existingNumbers.has(cell))
    const isOfNumbers = cells.every((cell) => !cell || isNumber(cell))
    const isCandidate = isOfNumbers ? matches.length === cells.length : isHalf(matches, cells)
    return isCandidate ? [{ index, isOfNumbers, count: matches.length }] : []
  })
  const texts = candidates.filter(({ isOfNumbers }) => !isOfNumbers)
  const [best, next] = (texts.length > 0 ? texts : candidates).toSorted((one, other) => other.count - one.count)
  return best && best.count > (next?.count ?? 0) ? best.index : undefined
}

/** Whether these are consecutive row numbers, in steps of one or ten. */
const areRowNumbers = (cells: readonly string[]): boolean =>
  cells.length > 1 && [1, 10].some((step) => cells.every((cell, index) => Number(cell) === (index + 1) * step))
