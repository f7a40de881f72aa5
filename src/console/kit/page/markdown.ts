import MarkdownIt, { type Token } from 'markdown-it/browser'
import { type ComponentChildren, h } from 'preact'

/** As the service prints notes: HTML in them is shown as it is written, and a line break is one. */
const reader = new MarkdownIt({ html: false, linkify: false, breaks: true })

/**
 * What a text with marks of Markdown looks like. Nodes are made and no HTML is, so that nothing of it is ever run. Its headings are bold
 * lines: they are none of the page.
 */
export const nodesOf = (text: string): ComponentChildren => drawn(reader.parse(text, {}))

/** An element that is open, and what is in it so far. */
type Open = { tag: string; attributes: Record<string, string | number>; children: ComponentChildren[] }

function drawn(tokens: readonly Token[]): ComponentChildren {
  const whole: Open = { tag: '', attributes: {}, children: [] }
  const open = [whole]
  for (const token of tokens) {
    const inside = open.at(-1) as Open
    // what is in a paragraph of a narrow list is in the entry itself
    if (token.hidden) continue
    if (token.nesting === 1) open.push({ ...shapeOf(token), children: [] })
    else if (token.nesting === -1) {
      open.pop()
      open.at(-1)?.children.push(h(inside.tag, inside.attributes, ...inside.children))
    } else inside.children.push(token.type === 'inline' ? drawn(token.children ?? []) : leafOf(token))
  }
  return whole.children
}

/** The element that a token opens. */
function shapeOf({ type, tag, attrs }: Token): Pick<Open, 'tag' | 'attributes'> {
  if (type === 'heading_open') return { tag: 'p', attributes: { class: 'notes-heading' } }
  return { tag, attributes: Object.fromEntries(attrs ?? []) }
}

/** What a token without anything in it looks like. */
function leafOf(token: Token): ComponentChildren {
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
      return pictureOf(String(token.attrGet('src')), content)
    default:
      return h(token.tag, {})
  }
}

/** A picture that lies in the service, also where the note still names the host from which it was moved; of any other, the way to it. */
function pictureOf(address: string, alt: string): ComponentChildren {
  const { pathname } = new URL(address, location.href)
  return pathname.startsWith('/media/')
    ? h('img', { src: pathname, alt, loading: 'lazy' })
    : h('a', { href: address }, alt || address)
}
