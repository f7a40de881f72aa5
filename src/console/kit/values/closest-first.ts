/** Matches a string that ends within a word. */
const WORD_CHARACTER = /[\p{L}\p{N}]$/u

/** Normalizes a string as searches do: upper and lower case, µ and u, × and x, composed letters and full-width forms are equal. */
const normalizeText = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('μ', 'u').replaceAll('×', 'x')

/**
 * Sorts matches of the typed text, as a search also matches descriptions and Enter takes the first one: first names that equal it, then
 * names that begin with it, names with a word that begins with it, and names that contain it within a word. `res` finds a resistor before
 * something addressable. For a location, `Store/Shelf C`, the last part of its path counts as its name, and is compared with the last of
 * several words. Within a rank, the order stays.
 */
export function sortClosestFirst<Row>(rows: readonly Row[], text: (row: Row) => string, typed: string): readonly Row[] {
  const needle = normalizeText(typed.trim())
  if (needle === '') return rows
  const end = `/${needle.split(/[\s/]+/).at(-1)}`
  const hasWordStart = (name: string): boolean => {
    for (let index = name.indexOf(needle); index >= 0; index = name.indexOf(needle, index + 1))
      if (!WORD_CHARACTER.test(name.slice(0, index))) return true
    return false
  }
  const rankMatch = (row: Row): number => {
    const label = normalizeText(text(row))
    const names = [label, label.slice(label.lastIndexOf('/') + 1)]
    if (names.includes(needle)) return 0
    if (names.some((name) => name.startsWith(needle))) return 1
    if (hasWordStart(label) || label.endsWith(end)) return 2
    return label.includes(needle) ? 3 : 4
  }
  return rows.toSorted((a, b) => rankMatch(a) - rankMatch(b))
}
