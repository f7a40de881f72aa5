/** A rendered item: its own styles, and the attributes and content of its body. */
export type Item = { styles: readonly string[]; attributes: string; body: string }

const STRUCTURE_TAG = /<(?:!--|!doctype\b|\/?(?:html|head|body)\b|style\b)/gi
const STYLE_END = /<\/style\b/gi

/**
 * Splits a rendered page into its styles and its body. It scans the page once, even with tags that are opened and never closed; the text
 * after such a tag is lost, as it is in a browser.
 */
export function parseItem(html: string): Item {
  const styles: string[] = []
  const body: string[] = []
  let attributes = ''
  let isHead = false
  let position = 0
  while (position < html.length) {
    STRUCTURE_TAG.lastIndex = position
    const match = STRUCTURE_TAG.exec(html)
    if (!isHead) body.push(html.slice(position, match?.index))
    if (!match) break
    const name = match[0].slice(1).toLowerCase()
    const inside = match.index + match[0].length
    if (name === '!--') {
      position = indexAfter(html, '-->', inside)
      continue
    }
    position = indexAfter(html, '>', inside)
    if (name === 'style') {
      STYLE_END.lastIndex = position
      const end = STYLE_END.exec(html)?.index ?? html.length
      styles.push(html.slice(position, end))
      position = indexAfter(html, '>', end)
    } else if (name === 'body') attributes = html.slice(inside, position - 1)
    if (name.endsWith('head') || name === 'body') isHead = name === 'head'
  }
  return { styles, attributes, body: body.join('').trim() }
}

/** Returns the position after a mark; the end of the text if there is none. */
function indexAfter(text: string, mark: string, start: number): number {
  const position = text.indexOf(mark, start)
  return position === -1 ? text.length : position + mark.length
}
