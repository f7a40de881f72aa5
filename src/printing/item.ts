/** A rendered item: its own styles, and the attributes and content of its body. */
export type Item = { styles: readonly string[]; attributes: string; body: string }

const PART = /<(?:!--|!doctype\b|\/?(?:html|head|body)\b|style\b)/gi
const STYLE_END = /<\/style\b/gi

/**
 * Splits a rendered page into its styles and its body. It scans the page once, even with tags that are opened and never closed; the text
 * after such a tag is lost, as it is in a browser.
 */
export function itemOf(html: string): Item {
  const styles: string[] = []
  const body: string[] = []
  let attributes = ''
  let isHead = false
  let at = 0
  while (at < html.length) {
    PART.lastIndex = at
    const match = PART.exec(html)
    if (!isHead) body.push(html.slice(at, match?.index))
    if (!match) break
    const name = match[0].slice(1).toLowerCase()
    const inside = match.index + match[0].length
    if (name === '!--') {
      at = indexAfter(html, '-->', inside)
      continue
    }
    at = indexAfter(html, '>', inside)
    if (name === 'style') {
      STYLE_END.lastIndex = at
      const end = STYLE_END.exec(html)?.index ?? html.length
      styles.push(html.slice(at, end))
      at = indexAfter(html, '>', end)
    } else if (name === 'body') attributes = html.slice(inside, at - 1)
    if (name.endsWith('head') || name === 'body') isHead = name === 'head'
  }
  return { styles, attributes, body: body.join('').trim() }
}

/** Returns the position after a mark; the end of the text if there is none. */
function indexAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}
