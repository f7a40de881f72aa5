import { isNumber } from './imported-number.ts'

/** Columns any of which names the component of a row. */
export const NAMES_COMPONENT = ['part', 'part_id', 'part_name', 'part_ipn']

/**
 * What the columns of a table mean where their headings do not say it, but their cells can mean one thing only: the one column of IPNs that
 * are all known names the components, and the one of numbers is how many there are of each.
 * @param meant what each column means by its heading; an empty text where that is not known
 * @param areKnown which of these texts are IPNs of parts
 */
export async function guessColumns(
  meant: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  areKnown: (texts: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly string[]> {
  const filled = rows.filter((row) => row.some((cell) => cell?.trim()))
  /** The cells of each column that has no meaning yet, and none that is empty. */
  const open = meant.flatMap((name, at) => {
    const cells = filled.map((row) => row[at] ?? '')
    return name === '' && cells.length > 0 && cells.every((cell) => cell.trim()) ? [{ at, cells }] : []
  })
  let guess = meant
  if (!meant.some((name) => NAMES_COMPONENT.includes(name)) && open.length > 0) {
    const known = await areKnown([...new Set(open.flatMap(({ cells }) => cells))])
    const ofParts = open.filter(({ cells }) => cells.every((cell) => known.has(cell)))
    if (ofParts.length === 1) guess = guess.with((ofParts[0] as { at: number }).at, 'part_ipn')
  }
  if (!meant.includes('quantity')) {
    const numbers = open.filter(({ at, cells }) => guess[at] === '' && cells.every(isNumber) && !areCounted(cells))
    if (numbers.length === 1) guess = guess.with((numbers[0] as { at: number }).at, 'quantity')
  }
  return guess
}

/** Whether these are the numbers of the rows, one after the other, in steps of one or ten. */
const areCounted = (cells: readonly string[]): boolean =>
  cells.length > 1 && [1, 10].some((step) => cells.every((cell, at) => Number(cell) === (at + 1) * step))
