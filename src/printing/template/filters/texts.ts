import MarkdownIt from 'markdown-it'
import { MARKDOWN_LENGTH } from '../../../kit/values/text.ts'
import { escapeHtml, Safe, textOf } from '../output.ts'
import type { FilterHandler } from './filter.ts'

/** HTML in notes is shown as it is written, and pictures are left out: notes may name any address. */
const notes = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable('image')

export const textFilters: Record<string, FilterHandler> = {
  /** `{{ order.notes | markdown }}`: notes as they are meant to look. */
  markdown(value) {
    const text = textOf(value)
    if (text.length > MARKDOWN_LENGTH) throw new Error('This is too long for notes.')
    return new Safe(notes.render(text))
  },
  /** Everything is escaped anyhow; said once more, it is not escaped twice. */
  escape: (value) => new Safe(escapeHtml(textOf(value))),
  newline_to_br: (value) => new Safe(escapeHtml(textOf(value)).replaceAll(/\r?\n/g, '<br>\n')),
  /** `content: {{ reference | css }};`: a text in a style sheet, in its quotes. */
  css: (value) =>
    new Safe(`"${textOf(value).replaceAll(CSS_SPECIAL, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`),
}

/** What would end a text of CSS, or the style sheet that it stands in. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break is one of them
const CSS_SPECIAL = /["\\<>&\u0000-\u001f\u007f]/g
