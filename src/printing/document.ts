import { FONT_FAMILY, fontStyle } from './fonts.ts'

/** What a template made of one item: its own styles, and what stands in its body. */
export type Item = { styles: readonly string[]; attributes: string; body: string }

const PART = /<(?:!--|!doctype\b|\/?(?:html|head|body)\b|style\b)/gi
const STYLE_END = /<\/style\b/gi

/**
 * Takes the page apart that a template made: its styles, and what is in its body. It goes through the page once, whatever is open and
 * never closed in it; what follows such an opening is lost, as it is in a browser.
 */
export function itemOf(html: string): Item {
  const styles: string[] = []
  const body: string[] = []
  let attributes = ''
  let isHead = false
  let at = 0
  while (at < html.length) {
    PART.lastIndex = at
    const found = PART.exec(html)
    if (!isHead) body.push(html.slice(at, found?.index))
    if (!found) break
    const name = found[0].slice(1).toLowerCase()
    const inside = found.index + found[0].length
    if (name === '!--') {
      at = behind(html, '-->', inside)
      continue
    }
    at = behind(html, '>', inside)
    if (name === 'style') {
      STYLE_END.lastIndex = at
      const end = STYLE_END.exec(html)?.index ?? html.length
      styles.push(html.slice(at, end))
      at = behind(html, '>', end)
    } else if (name === 'body') attributes = html.slice(inside, at - 1)
    if (name.endsWith('head') || name === 'body') isHead = name === 'head'
  }
  return { styles, attributes, body: body.join('').trim() }
}

/** Where a text goes on behind a mark: at its end where there is none. */
function behind(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

/** Millimetres of the pages; labels have no margin, and nothing of one reaches onto the next. */
export type Pages = {
  width: number
  height: number
  isLabel: boolean
  /** Templates of InvenTree are made for typefaces whose lines are lower than ours. */
  isMoved?: boolean
}

/**
 * The items that stand in a document together: neighbours with the same styles, since a style holds for all of a document (`body {}`,
 * `@page {}`); no more than `most`.
 */
export function together(items: readonly Item[], most = Number.POSITIVE_INFINITY): Item[][] {
  const groups: Item[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last && last.length < most && hasSameStyles(last[0] as Item, item)) last.push(item)
    else groups.push([item])
  }
  return groups
}

const hasSameStyles = (one: Item, other: Item): boolean =>
  one.styles.length === other.styles.length && one.styles.every((css, at) => css === other.styles[at])

/** One document with a page, or several, for each of these items, which have the same styles. */
export function documentOf(items: readonly Item[], pages: Pages): string {
  const bodies = items.map(
    ({ attributes, body }, at) => `<div class="printed-item" id="printed-item-${at}"><div${attributes}>${body}</div></div>`,
  )
  const styles = (items[0]?.styles ?? []).map((css) => `<style>${css}</style>\n`).join('')
  const fonts = fontStyle(bodies.join('') + styles)
  return `<!doctype html>
<html><head><meta charset="utf-8">
<style>${fonts}
${pageStyle(pages)}</style>
${styles}</head><body>${bodies.join('\n')}</body></html>`
}

function pageStyle({ width, height, isLabel, isMoved }: Pages): string {
  const item = isLabel
    ? `.printed-item, .printed-item > div { width: ${width}mm; height: ${height}mm } .printed-item { position: relative; overflow: hidden; contain: layout paint; break-inside: avoid }`
    : ''
  return `@page { size: ${width}mm ${height}mm; margin: ${isLabel ? 0 : '2cm'} }
html { font-family: ${FONT_FAMILY};${isMoved ? ' line-height: 1.1;' : ''} -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { margin: 0 }
.printed-item + .printed-item { break-before: page }
${item}`
}
