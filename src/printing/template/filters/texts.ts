import MarkdownIt from 'markdown-it'
import { MARKDOWN_LENGTH } from '../../../kit/values/text.ts'
import { escapeHtml, Safe, textOf } from '../output.ts'
import type { FilterHandler } from './filter.ts'

/** HTML in notes is shown as plain text, and pictures are left out: notes may name any address. */
const notes = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable('image')

export const textFilters: Record<string, FilterHandler> = {
  /** `{{ order.notes | markdown }}`: notes rendered as HTML. */
  markdown(value) {
    const text = textOf(value)
    if (text.length > MARKDOWN_LENGTH) throw new Error('This is too long for notes.')
    return new Safe(notes.render(text))
  },
  /** Output is escaped anyway; this filter prevents escaping it twice. */
  escape: (value) => new Safe(escapeHtml(textOf(value))),
  newline_to_br: (value) => new Safe(escapeHtml(textOf(value)).replaceAll(/\r?\n/g, '<br>\n')),
  /** `content: {{ reference | css }};`: a text for a style sheet, in quotes. */
  css: (value) =>
    new Safe(`"${textOf(value).replaceAll(CSS_SPECIAL, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`),
}

/** Characters that would end a CSS text, or the style sheet around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break is one of them
const CSS_SPECIAL = /["\\<>&\u0000-\u001f\u007f]/g
