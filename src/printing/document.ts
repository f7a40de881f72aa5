import { FONT_FAMILIES, fontStyle } from './fonts.ts'
import type { Item } from './item.ts'

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
html { font-family: ${FONT_FAMILIES}, sans-serif;${isMoved ? ' line-height: 1.1;' : ''} -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { margin: 0 }
.printed-item + .printed-item { break-before: page }
${item}`
}
