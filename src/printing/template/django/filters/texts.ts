import { escapeHtml, Safe } from '../../output.ts'
import { engineOf } from '../engine.ts'
import type { DjangoFilter } from '../expression.ts'
import { integerOf, numberOf, textOf } from '../values.ts'

type FilterFunction = DjangoFilter['apply']

/** A text filter that keeps a safe value safe. */
const text = (make: (value: string) => unknown): DjangoFilter => ({ keepsSafe: true, apply: (value) => make(textOf(value)) })

/** Builds a text with HTML of our own: the input is escaped in it, unless it is safe. */
const html =
  (make: (value: string) => string): FilterFunction =>
  (value, _argument, { isSafe, isEscaping }) =>
    new Safe(make(isSafe || !isEscaping ? textOf(value) : escapeHtml(textOf(value))))

/** A filter with a text and a number. */
const sized = (make: (value: string, size: number) => string): DjangoFilter => ({
  argument: 'required',
  keepsSafe: true,
  apply: (value, argument) => make(textOf(value), integerOf(argument)),
})

const lines = (value: string): string[] => value.split(/\r\n|\r|\n/)

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const titled = (value: string): string =>
  value
    .toLowerCase()
    .replaceAll(/\p{L}[\p{L}\p{N}'’]*/gu, (word, at: number, source: string) =>
      /\d/.test(source[at - 1] ?? '') ? word : capitalized(word),
    )

const center = (value: string, size: number): string =>
  value.padStart(value.length + Math.max(Math.floor((size - value.length) / 2), 0)).padEnd(size)

function truncateWords(value: string, count: number): string {
  const words = value.split(/\s+/).filter(Boolean)
  return words.length <= count ? words.join(' ') : `${words.slice(0, Math.max(count, 0)).join(' ')} …`
}

function truncated(value: string, size: number): string {
  const characters = [...value]
  return characters.length <= size ? value : `${characters.slice(0, Math.max(size - 1, 0)).join('')}…`
}

const slug = (value: string): string =>
  value
    .normalize('NFKD')
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, '-')

/** Wraps lines at a number of characters, between words. */
function wrapped(value: string, width: number): string {
  return lines(value)
    .map((line) => {
      let length = 0
      return line
        .split(' ')
        .map((word, at) => {
          const breaks = at > 0 && length + 1 + word.length > width
          length = at === 0 || breaks ? word.length : length + 1 + word.length
          return at === 0 ? word : (breaks ? '\n' : ' ') + word
        })
        .join('')
    })
    .join('\n')
}

const FORMAT = /^([-+ 0#]{0,5})(\d{0,3})(?:\.(\d{1,2}))?([sdiufFeEgGxXo])$/

/** Formats a value by a format of Python, without its `%`; empty if the format or the value is not valid. */
function formatted(value: unknown, format: string): string {
  const [, flags = '', width = '', precision, kind = ''] = FORMAT.exec(format) ?? []
  if (kind === '') return ''
  const number = Number(numberOf(value) ?? Number.NaN)
  if (kind !== 's' && Number.isNaN(number)) return ''
  const written =
    kind === 's'
      ? textOf(value).slice(0, precision === undefined ? undefined : Number(precision))
      : digits(number, kind, precision)
  const signed = flags.includes('+') && kind !== 's' && number >= 0 ? `+${written}` : written
  if (flags.includes('-')) return signed.padEnd(Number(width))
  if (!flags.includes('0') || kind === 's') return signed.padStart(Number(width))
  const [sign, rest] = /^[+-]/.test(signed) ? [signed[0] as string, signed.slice(1)] : ['', signed]
  return sign + rest.padStart(Number(width) - sign.length, '0')
}

function digits(number: number, kind: string, precision: string | undefined): string {
  if (/[diu]/.test(kind)) return String(Math.trunc(number))
  if (/[xX]/.test(kind)) return kind === 'x' ? Math.trunc(number).toString(16) : Math.trunc(number).toString(16).toUpperCase()
  if (kind === 'o') return Math.trunc(number).toString(8)
  if (/[eE]/.test(kind)) return number.toExponential(Number(precision ?? 6)).replace(/e([+-])(\d)$/, 'e$10$2')
  return /[fF]/.test(kind)
    ? number.toFixed(Number(precision ?? 6))
    : String(Number(number.toPrecision(Number(precision ?? 6) || 1)))
}

/** Renders nested lists as `<li>`, without the outer `<ul>`. */
function listed(entries: readonly unknown[], escaped: (text: string) => string, depth = 0): string {
  if (depth > 20) throw new Error('Lists are nested too deeply.')
  return entries
    .map((entry, at) => {
      if (Array.isArray(entry)) return ''
      const below = entries[at + 1]
      return `<li>${escaped(textOf(entry))}${Array.isArray(below) ? `<ul>${listed(below, escaped, depth + 1)}</ul>` : ''}</li>`
    })
    .join('')
}

const url = (value: string, safeCharacters: string): string =>
  encodeURIComponent(value.toWellFormed()).replaceAll(/%[0-9A-F]{2}/g, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return character < '\u0080' && safeCharacters.includes(character) ? character : code
  })

/** Web addresses in a text, and the letters on the keys of a telephone. */
const ADDRESS = /https?:\/\/[^\s<>"'&]+/g
const KEYS = '22233344455566677778889999'

export const textFilters: Record<string, DjangoFilter> = {
  lower: text((value) => value.toLowerCase()),
  upper: text((value) => value.toUpperCase()),
  title: text(titled),
  capfirst: text(capitalized),
  slugify: text(slug),
  addslashes: text((value) => value.replaceAll(/[\\"']/g, '\\$&')),
  wordcount: text((value) => value.split(/\s+/).filter(Boolean).length),
  striptags: { apply: (value) => textOf(value).replaceAll(/<[^<>]*>/g, '') },
  truncatechars: sized(truncated),
  truncatewords: sized(truncateWords),
  center: sized(center),
  ljust: sized((value, size) => value.padEnd(size)),
  rjust: sized((value, size) => value.padStart(size)),
  wordwrap: sized(wrapped),
  cut: {
    argument: 'required',
    apply: (value, cut) => (textOf(cut) === '' ? textOf(value) : textOf(value).replaceAll(textOf(cut), '')),
  },
  stringformat: { argument: 'required', keepsSafe: true, apply: (value, format) => formatted(value, textOf(format)) },
  safe: { apply: (value) => new Safe(textOf(value)) },
  safeseq: { apply: (value) => (Array.isArray(value) ? value.map((entry) => new Safe(textOf(entry))) : value) },
  // output is escaped anyway, and not twice
  escape: { apply: (value, _argument, { isSafe }) => (isSafe ? value : new Safe(escapeHtml(textOf(value)))) },
  force_escape: { apply: (value) => new Safe(escapeHtml(textOf(value))) },
  escapejs: {
    apply: (value) =>
      new Safe(
        textOf(value).replaceAll(
          /[\p{Cc}\\'"<>&=;`\u2028\u2029-]/gu,
          (character) => `\\u${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
      ),
  },
  linebreaks: {
    apply: html((value) =>
      lines(value)
        .join('\n')
        .split(/\n{2,}/)
        .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
        .join('\n\n'),
    ),
  },
  linebreaksbr: { apply: html((value) => lines(value).join('<br>')) },
  linenumbers: {
    apply: html((value) => {
      const all = value.split('\n')
      return all.map((line, at) => `${String(at + 1).padStart(String(all.length).length, '0')}. ${line}`).join('\n')
    }),
  },
  urlize: {
    apply: html((value) => value.replaceAll(ADDRESS, (address) => `<a href="${address}">${address}</a>`)),
  },
  urlizetrunc: {
    argument: 'required',
    apply: (value, argument, call) => {
      const maxLength = integerOf(argument)
      return html((content) =>
        content.replaceAll(ADDRESS, (address) => `<a href="${address}">${truncated(address, maxLength)}</a>`),
      )(...[value, argument, call])
    },
  },
  phone2numeric: text((value) =>
    value.replaceAll(/[a-z]/gi, (letter) => KEYS[letter.toLowerCase().charCodeAt(0) - 97] as string),
  ),
  urlencode: {
    argument: 'optional',
    apply: (value, safeCharacters) => url(textOf(value), safeCharacters === undefined ? '/' : textOf(safeCharacters)),
  },
  iriencode: { keepsSafe: true, apply: (value) => url(textOf(value), "/#%[]=:;$&()+,!?*@'~") },
  unordered_list: {
    apply: (value, _argument, { isEscaping }) =>
      new Safe(listed(Array.isArray(value) ? value : [], isEscaping ? escapeHtml : (entry) => entry)),
  },
  markdownify: { apply: (value, _argument, { context }) => engineOf(context).own.markdown?.(textOf(value)) },
}
