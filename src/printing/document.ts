import { buildFontStyle, FONT_FAMILIES } from './fonts.ts'
import type { Item } from './item.ts'

/** The page size in millimeters; labels have no margin, and their content never extends to the next page. */
export type PageLayout = {
  width: number
  height: number
  isLabel: boolean
  /** InvenTree templates are designed for typefaces with a smaller line height than ours. */
  isFromInvenTree?: boolean
}

/**
 * Groups items for documents: neighbors with the same styles, since a style applies to the whole document (`body {}`, `@page {}`), at most
 * `maxGroupSize` in a group.
 */
export function groupByStyles(items: readonly Item[], maxGroupSize = Number.POSITIVE_INFINITY): Item[][] {
  const groups: Item[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last && last.length < maxGroupSize && hasSameStyles(last[0] as Item, item)) last.push(item)
    else groups.push([item])
  }
  return groups
}

const hasSameStyles = (one: Item, other: Item): boolean =>
  one.styles.length === other.styles.length && one.styles.every((css, index) => css === other.styles[index])

/** Creates one document with one or more pages for each of these items, which have the same styles. */
export function renderDocument(items: readonly Item[], pages: PageLayout): string {
  const bodies = items.map(
    ({ attributes, body }, index) => `<div class="printed-item" id="printed-item-${index}"><div${attributes}>${body}</div></div>`,
  )
  const styles = (items[0]?.styles ?? []).map((css) => `<style>${css}</style>\n`).join('')
  const fonts = buildFontStyle(bodies.join('') + styles)
  return `<!doctype html>
<html><head><meta charset="utf-8">
<style>${fonts}
${buildPageStyle(pages)}</style>
${styles}</head><body>${bodies.join('\n')}</body></html>`
}

function buildPageStyle({ width, height, isLabel, isFromInvenTree }: PageLayout): string {
  const item = isLabel
    ? `.printed-item, .printed-item > div { width: ${width}mm; height: ${height}mm } .printed-item { position: relative; overflow: hidden; contain: layout paint; break-inside: avoid }`
    : ''
  return `@page { size: ${width}mm ${height}mm; margin: ${isLabel ? 0 : '2cm'} }
html { font-family: ${FONT_FAMILIES}, sans-serif;${isFromInvenTree ? ' line-height: 1.1;' : ''} -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { margin: 0 }
.printed-item + .printed-item { break-before: page }
${item}`
}
