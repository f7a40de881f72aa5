import { FONT_FAMILY, fontStyle } from './fonts.ts'

/** What a template made of one item: its own styles, and what stands in its body. */
export type Item = { styles: readonly string[]; attributes: string; body: string }

const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi
const HEAD = /<head\b[^>]*>[\s\S]*?<\/head\s*>/i
const BODY = /<body\b([^>]*)>/i
const FRAME = /<!doctype[^>]*>|<\/?(?:html|head|body)\b[^>]*>/gi

/** Takes the page apart that a template made. HTML ends a style at the first `</style`, whatever stands before it, and so does this. */
export function itemOf(html: string): Item {
  const styles = [...html.matchAll(STYLE)].map(([, css = '']) => css)
  const rest = html.replaceAll(STYLE, '').replace(HEAD, '')
  return { styles, attributes: BODY.exec(rest)?.[1] ?? '', body: rest.replaceAll(FRAME, '').trim() }
}

/** Millimetres of the pages; labels have no margin, and nothing of one reaches onto the next. */
export type Pages = { width: number; height: number; isLabel: boolean }

/** One document with a page, or several, for each item. */
export function documentOf(items: readonly Item[], pages: Pages): string {
  const bodies = items.map(
    ({ attributes, body }, at) => `<div class="item" id="item-${at}"><div${attributes}>${body}</div></div>`,
  )
  const styles = stylesOf(items)
  const fonts = fontStyle(bodies.join('') + styles)
  return `<!doctype html>
<html><head><meta charset="utf-8">
<style>${fonts}
${pageStyle(pages)}</style>
${styles}</head><body>${bodies.join('\n')}</body></html>`
}

/** Styles that all items have hold for the document; others for their item alone, inside of which rules about `body` mean nothing. */
function stylesOf(items: readonly Item[]): string {
  const [first] = items
  const same = items.every(
    ({ styles }) => styles.length === first?.styles.length && styles.every((css, at) => css === first.styles[at]),
  )
  if (same) return (first?.styles ?? []).map((css) => `<style>${css}</style>\n`).join('')
  return items.map(({ styles }, at) => styles.map((css) => `<style>@scope (#item-${at}) {${css}}</style>\n`).join('')).join('')
}

function pageStyle({ width, height, isLabel }: Pages): string {
  const item = isLabel
    ? `.item, .item > div { width: ${width}mm; height: ${height}mm } .item { position: relative; overflow: hidden; contain: layout paint; break-inside: avoid }`
    : ''
  return `@page { size: ${width}mm ${height}mm; margin: ${isLabel ? 0 : '2cm'} }
html { font-family: ${FONT_FAMILY}; -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { margin: 0 }
.item + .item { break-before: page }
${item}`
}
