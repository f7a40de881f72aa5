/**
 * Those that fit what was typed, with those first whose name is it, or begins with it: a search finds it in descriptions too, and the first
 * is what Enter takes. Of a place, `Store/Shelf C`, the last part of its path counts as its name; that is also what the last word of several
 * is about. Otherwise their order stays.
 */
export function closestFirst<Row>(rows: readonly Row[], text: (row: Row) => string, typed: string): readonly Row[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return rows
  const end = `/${wanted.split(/[\s/]+/).at(-1)}`
  const distance = (row: Row): number => {
    const whole = text(row).toLowerCase()
    const names = [whole, whole.slice(whole.lastIndexOf('/') + 1)]
    if (names.includes(wanted)) return 0
    if (names.some((name) => name.startsWith(wanted))) return 1
    return whole.includes(wanted) || whole.endsWith(end) ? 2 : 3
  }
  return rows.toSorted((one, other) => distance(one) - distance(other))
}
