import { posix } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import { createAnchorNamer } from './anchors.ts'

/** A section of a page for the search: the text below a heading. */
export type Section = { heading: string; id: string; text: string }

export type RenderedDocument = {
  title: string
  /** The first paragraph, as text. */
  summary: string
  html: string
  /** The headings of the second level. */
  headings: { id: string; text: string }[]
  /** The text before the first heading of the second level, and that of each section of levels 2 and 3. */
  sections: Section[]
}

/** Resolves the targets of links and images of documents. */
export type Targets = {
  /** URL of a document by its path below `docs/`; undefined if it is not served. */
  getUrl(path: string): string | undefined
  /** URL and size in pixels of an image by its path below `docs/`; undefined if it does not exist. */
  getImage(path: string): { url: string; width: number; height: number } | undefined
}

const markdown = new MarkdownIt({ html: false })
/** An anchor in a text, the only HTML that documents contain. */
const ANCHOR = /<a id="[\w-]+"><\/a>/y
markdown.inline.ruler.before('html_inline', 'anchor', (state, isSilent) => {
  ANCHOR.lastIndex = state.pos
  const [anchor] = ANCHOR.exec(state.src) ?? []
  if (anchor === undefined) return false
  if (!isSilent) state.push('html_inline', '', 0).content = anchor
  state.pos += anchor.length
  return true
})
// wide tables and long lines scroll by themselves, also with the keyboard
markdown.renderer.rules.table_open = (tokens, index) => `<div class="${tokens[index]?.meta?.className}" tabindex="0"><table>\n`
markdown.renderer.rules.table_close = () => '</table></div>\n'
const renderFence = markdown.renderer.rules.fence as NonNullable<typeof markdown.renderer.rules.fence>
markdown.renderer.rules.fence = (...rest) => renderFence(...rest).replace('<pre>', '<pre tabindex="0">')

/** The URL at which the guides reach the service. On a served page, links to it lead to this service. */
const EXAMPLE_ORIGIN = /^http:\/\/127\.0\.0\.1:8000(?=\/|$)/

/**
 * Renders a document.
 * @param path its path below `docs/`, from which its links are resolved
 * @throws Error if it does not begin with a heading of the first level
 */
export function renderDocument(text: string, path: string, targets: Targets): RenderedDocument {
  const tokens = markdown.parse(text.replaceAll(/^<!--.*?-->\n/gms, ''), {})
  if (tokens[0]?.tag !== 'h1') throw new Error(`docs/${path} does not begin with a title`)
  setHeadingIds(tokens)
  describeTables(tokens)
  for (const token of tokens) {
    alignByClass(token)
    if (token.children) token.children = token.children.flatMap(createLinkResolver(path, targets))
  }
  const paragraph = tokens.findIndex(({ type }) => type === 'paragraph_open')
  return {
    title: getText(tokens[1]),
    summary: getText(tokens[paragraph + 1]),
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: tokens.flatMap((token, index) =>
      token.type === 'heading_open' && token.tag === 'h2'
        ? { id: String(token.attrGet('id')), text: getText(tokens[index + 1]) }
        : [],
    ),
    sections: splitSections(tokens),
  }
}

/** Gives each heading the anchor that it also has on the page of the repository. */
function setHeadingIds(tokens: readonly Token[]): void {
  const getAnchorName = createAnchorNamer()
  for (const [index, token] of tokens.entries())
    if (token.type === 'heading_open') token.attrSet('id', getAnchorName(getText(tokens[index + 1])))
}

/** Tables with at least this number of columns become lines in narrow windows. */
const MIN_MANY_COLUMNS = 4

/** Names the column in each cell of tables with many columns, for narrow windows. */
function describeTables(tokens: readonly Token[]): void {
  let columns: string[] = []
  let column = 0
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') {
      const end = tokens.findIndex(({ type }, other) => other > index && type === 'thead_close')
      const head = tokens.slice(index, end)
      columns = head.flatMap(({ type }, other) => (type === 'th_open' ? [getText(head[other + 1])] : []))
      token.meta = { className: columns.length < MIN_MANY_COLUMNS ? 'table' : 'table many-columns' }
    }
    if (token.type === 'tr_open') column = 0
    if (token.type === 'td_open' && columns.length >= MIN_MANY_COLUMNS) token.attrSet('data-column', columns[column++] ?? '')
  }
}

/** Aligns a cell by a class: the policy of the pages allows no style attributes. */
function alignByClass(token: Token): void {
  const alignment = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1]
  if (alignment === undefined) return
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
  token.attrJoin('class', `align-${alignment}`)
}

/** Returns a function that replaces the targets of links and images, and drops those that do not exist here; the texts remain. */
function createLinkResolver(path: string, { getUrl, getImage }: Targets): (token: Token) => Token[] {
  /** The links that are open, and whether each was dropped. */
  const areLinksDropped: boolean[] = []
  const resolve = (target: string) => posix.join(posix.dirname(path), target)
  return (token) => {
    if (token.type === 'link_close') return areLinksDropped.pop() ? [] : [token]
    if (token.type === 'link_open') {
      const [target = '', anchor] = String(token.attrGet('href')).split('#', 2)
      const url = /^[a-z]+:/.test(target)
        ? target.replace(EXAMPLE_ORIGIN, '') || '/'
        : target === ''
          ? ''
          : getUrl(resolve(target))
      areLinksDropped.push(url === undefined)
      if (url === undefined) return []
      token.attrSet('href', anchor === undefined ? url : `${url}#${anchor}`)
    }
    if (token.type === 'image') {
      const image = getImage(resolve(decodeURI(String(token.attrGet('src')))))
      if (!image) return token.children ?? []
      token.attrSet('src', image.url)
      token.attrSet('width', String(image.width))
      token.attrSet('height', String(image.height))
      token.attrSet('loading', 'lazy')
    }
    return [token]
  }
}

/** The text of an inline token, without its marks. */
const getText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .filter(({ type }) => type !== 'html_inline')
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim()

function splitSections(tokens: readonly Token[]): Section[] {
  const sections: Section[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag < 'h4')
      sections.push({ heading: getText(tokens[index + 1]), id: token.tag === 'h1' ? '' : String(token.attrGet('id')), text: '' })
    const isHeading = tokens[index - 1]?.type === 'heading_open'
    const text = token.type === 'inline' && !isHeading ? getText(token) : token.type === 'fence' ? token.content : ''
    const section = sections.at(-1)
    if (section && text) section.text = `${section.text} ${text.replaceAll(/\s+/g, ' ').trim()}`.trim()
  }
  return sections
}
