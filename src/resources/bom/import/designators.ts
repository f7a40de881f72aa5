/** A designator on a board: letters and a number, as R1, U12A, TP_3 or J1.2. A part number has a dash. */
const DESIGNATOR = /^\p{Lu}{1,5}_?\d+[A-Za-z]?([._]\d+)?$/u
const RANGE = /^(\p{Lu}{1,5}_?)(\d+)\s*(?:-|–|\.\.\.?|…|~|to|bis)\s*(?:\1)?(\d+)$/u

/** Maximum number of designators in a range; a larger one is not counted. */
const MAX_DESIGNATORS_IN_RANGE = 10_000

/** Splits a cell of references at commas, semicolons or spaces. */
export function splitReferences(text: string): string[] {
  const parts = text
    .split(/[,;，；、\n]+/)
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.flatMap((part) => {
    const words = part.split(/\s+/)
    return words.length > 1 && words.every((word) => DESIGNATOR.test(word) || RANGE.test(word)) ? words : [part]
  })
}

/** Counts the designators in a cell; undefined if it contains anything else. */
export function countDesignators(text: string): number | undefined {
  const counts = splitReferences(text).map((part) => {
    if (DESIGNATOR.test(part)) return 1
    const [, , first, last] = RANGE.exec(part) ?? []
    const count = first === undefined ? 0 : Number(last) - Number(first) + 1
    return count > 0 && count <= MAX_DESIGNATORS_IN_RANGE ? count : undefined
  })
  return counts.length > 0 && counts.every((count) => count !== undefined)
    ? counts.reduce((sum, count) => sum + count, 0)
    : undefined
}

/** Whether all filled cells contain designators. */
export function isDesignatorColumn(cells: readonly (string | null)[]): boolean {
  const filled = cells.flatMap((cell) => cell?.trim() || [])
  return filled.length > 0 && filled.every((cell) => countDesignators(cell) !== undefined)
}

/** Joins the references of several rows in order, without duplicates. A single cell stays unchanged. */
export const joinReferences = (cells: readonly string[]): string =>
  cells.length === 1 ? (cells[0] as string) : [...new Set(cells.flatMap(splitReferences))].join(', ')
