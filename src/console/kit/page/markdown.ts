import MarkdownIt, { type Token } from 'markdown-it/browser'
import { type ComponentChildren, h } from 'preact'

/** As in printed notes: HTML in them is shown as text, and line breaks are preserved. */
const reader = new MarkdownIt({ html: false, linkify: false, breaks: true })

/** Renders Markdown as nodes rather than HTML, so that nothing in it can run. Its headings become bold lines: they are not headings of the page. */
export const renderMarkdown = (text: string): ComponentChildren => renderTokens(reader.parse(text, {}))

/** An open element, with its content so far. */
type OpenElement = { tag: string; attributes: Record<string, string | number>; children: ComponentChildren[] }

function renderTokens(tokens: readonly Token[]): ComponentChildren {
  const root: OpenElement = { tag: '', attributes: {}, children: [] }
  const open = [root]
  for (const token of tokens) {
    const current = open.at(-1) as OpenElement
    // the paragraphs of a tight list are not rendered as elements
    if (token.hidden) continue
    if (token.nesting === 1) open.push({ ...getElement(token), children: [] })
    else if (token.nesting === -1) {
      open.pop()
      open.at(-1)?.children.push(h(current.tag, current.attributes, ...current.children))
    } else current.children.push(token.type === 'inline' ? renderTokens(token.children ?? []) : renderLeaf(token))
  }
  return root.children
}

/** The element that a token opens. */
function getElement({ type, tag, attrs }: Token): Pick<OpenElement, 'tag' | 'attributes'> {
  if (type === 'heading_open') return { tag: 'p', attributes: { class: 'notes-heading' } }
  return { tag, attributes: Object.fromEntries(attrs ?? []) }
}

/** Renders a token without children. */
function renderLeaf(token: Token): ComponentChildren {
  const { content } = token
  switch (token.type) {
    case 'text':
    case 'text_special':
      return content
    case 'softbreak':
    case 'hardbreak':
      return h('br', {})
    case 'code_inline':
      return h('code', {}, content)
    case 'fence':
    case 'code_block':
      return h('pre', {}, h('code', {}, content))
    case 'image':
      return renderImage(String(token.attrGet('src')), content)
    default:
      return h(token.tag, {})
  }
}

/** Renders an image that the service stores, even if its URL contains a previous host of the service; a link for any other image. */
function renderImage(url: string, alt: string): ComponentChildren {
  const { pathname } = new URL(url, location.href)
  return pathname.startsWith('/media/') ? h('img', { src: pathname, alt, loading: 'lazy' }) : h('a', { href: url }, alt || url)
}
