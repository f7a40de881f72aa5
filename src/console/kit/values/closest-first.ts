/** Matches a text that ends within a word. */
const WORD_CHARACTER = /[\p{L}\p{N}]$/u

/** Normalizes a text as searches do: capitals, µ and u, × and x, composed letters and full-width forms are alike. */
const normalizeText = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('μ', 'u').replaceAll('×', 'x')

/**
 * Sorts matches of the typed text: first those whose name equals it, begins with it, or has a word that begins with it, then those that
 * contain it within a word: a search also matches descriptions, and Enter takes the first one. `res` prefers a resistor, whatever its
 * number begins with, to addressable. For a location, `Store/Shelf C`, the last part of its path counts as its name, and is compared with
 * the last of several words. Otherwise the order stays.
 */
export function closestFirst<Row>(rows: readonly Row[], text: (row: Row) => string, typed: string): readonly Row[] {
  const needle = normalizeText(typed.trim())
  if (needle === '') return rows
  const end = `/${needle.split(/[\s/]+/).at(-1)}`
  const beginsWord = (name: string): boolean => {
    for (let at = name.indexOf(needle); at >= 0; at = name.indexOf(needle, at + 1))
      if (!WORD_CHARACTER.test(name.slice(0, at))) return true
    return false
  }
  const distance = (row: Row): number => {
    const label = normalizeText(text(row))
    const names = [label, label.slice(label.lastIndexOf('/') + 1)]
    if (names.includes(needle)) return 0
    if (names.some((name) => name.startsWith(needle))) return 1
    if (beginsWord(label) || label.endsWith(end)) return 2
    return label.includes(needle) ? 3 : 4
  }
  return rows.toSorted((one, other) => distance(one) - distance(other))
}
