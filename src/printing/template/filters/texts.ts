import MarkdownIt from 'markdown-it'
import { MARKDOWN_LENGTH } from '../../../kit/values/text.ts'
import { translateText } from '../languages/languages.ts'
import { escapeHtml, SafeHtml, toText } from '../output.ts'
import type { FilterHandler } from './filter.ts'

/** HTML in notes is shown as plain text, and pictures are left out: notes may name any URL. */
const markdownParser = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable('image')

export const textFilters: Record<string, FilterHandler> = {
  /** `{{ order.notes | markdown }}`: notes rendered as HTML. */
  markdown(value) {
    const text = toText(value)
    if (text.length > MARKDOWN_LENGTH) throw new Error('This is too long for notes.')
    return new SafeHtml(markdownParser.render(text))
  },
  /** `{{ "Quantity" | translate: language }}`: a text of the built-in documents in another language; unchanged where it has none. */
  translate: (value, language) => translateText(toText(value), toText(language)),
  /** Output is escaped anyway; this filter prevents escaping it twice. */
  escape: (value) => new SafeHtml(escapeHtml(toText(value))),
  newline_to_br: (value) => new SafeHtml(escapeHtml(toText(value)).replaceAll(/\r?\n/g, '<br>\n')),
  /** `content: {{ reference | css }};`: a quoted string for a style sheet. */
  css: (value) =>
    new SafeHtml(`"${toText(value).replaceAll(CSS_SPECIAL, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`),
}

/** Characters that would end a CSS string, or the style sheet around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break is one of them
const CSS_SPECIAL = /["\\<>&\u0000-\u001f\u007f]/g
