/** A text that ends within a word. */
const OF_WORD = /[\p{L}\p{N}]$/u

/** A text as searches compare it: capitals, µ and u, × and x, composed letters and full-width forms are alike. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('μ', 'u').replaceAll('×', 'x')

/**
 * Those that fit what was typed, with those first whose name is it, begins with it, or has a word that does, before those that have it within
 * a word: a search finds it in descriptions too, and the first is what Enter takes. `res` is a resistor, whatever its number begins with,
 * rather than addressable. Of a place, `Store/Shelf C`, the last part of its path counts as its name; that is also what the last word of several
 * is about. Otherwise their order stays.
 */
export function closestFirst<Row>(rows: readonly Row[], text: (row: Row) => string, typed: string): readonly Row[] {
  const wanted = folded(typed.trim())
  if (wanted === '') return rows
  const end = `/${wanted.split(/[\s/]+/).at(-1)}`
  const beginsWord = (name: string): boolean => {
    for (let at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1))
      if (!OF_WORD.test(name.slice(0, at))) return true
    return false
  }
  const distance = (row: Row): number => {
    const whole = folded(text(row))
    const names = [whole, whole.slice(whole.lastIndexOf('/') + 1)]
    if (names.includes(wanted)) return 0
    if (names.some((name) => name.startsWith(wanted))) return 1
    if (beginsWord(whole) || whole.endsWith(end)) return 2
    return whole.includes(wanted) ? 3 : 4
  }
  return rows.toSorted((one, other) => distance(one) - distance(other))
}
