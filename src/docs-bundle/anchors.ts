/** Returns a function that names the anchors of the headings of one document, as GitHub does: by their titles, numbered if they repeat. */
export function createAnchorNamer(): (title: string) => string {
  const counts = new Map<string, number>()
  return (title) => {
    const name = title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
}
