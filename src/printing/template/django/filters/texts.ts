import { escapeHtml, SafeHtml } from '../../output.ts'
import { getEngine } from '../engine.ts'
import type { DjangoFilter } from '../expression.ts'
import { toDecimal, toInteger, toText } from '../values.ts'

type FilterFunction = DjangoFilter['apply']

/** Creates a string filter that keeps a safe value safe. */
const createTextFilter = (transform: (value: string) => unknown): DjangoFilter => ({
  keepsSafe: true,
  apply: (value) => transform(toText(value)),
})

/** Creates a filter that adds HTML to a string, which is escaped unless it is safe. */
const createHtmlFilter =
  (transform: (value: string) => string): FilterFunction =>
  (value, _argument, { isSafe, isEscaping }) =>
    new SafeHtml(transform(isSafe || !isEscaping ? toText(value) : escapeHtml(toText(value))))

/** Creates a filter of a string and a number. */
const createSizedFilter = (transform: (value: string, size: number) => string): DjangoFilter => ({
  argument: 'required',
  keepsSafe: true,
  apply: (value, argument) => transform(toText(value), toInteger(argument)),
})

const splitLines = (value: string): string[] => value.split(/\r\n|\r|\n/)

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const toTitleCase = (value: string): string =>
  value
    .toLowerCase()
    .replaceAll(/\p{L}[\p{L}\p{N}'’]*/gu, (word, index: number, source: string) =>
      /\d/.test(source[index - 1] ?? '') ? word : capitalize(word),
    )

const center = (value: string, size: number): string =>
  value.padStart(value.length + Math.max(Math.floor((size - value.length) / 2), 0)).padEnd(size)

function truncateWords(value: string, count: number): string {
  const words = value.split(/\s+/).filter(Boolean)
  return words.length <= count ? words.join(' ') : `${words.slice(0, Math.max(count, 0)).join(' ')} …`
}

function truncate(value: string, size: number): string {
  const characters = [...value]
  return characters.length <= size ? value : `${characters.slice(0, Math.max(size - 1, 0)).join('')}…`
}

const toSlug = (value: string): string =>
  value
    .normalize('NFKD')
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, '-')

/** Wraps lines at a number of characters, between words. */
function wrapLines(value: string, width: number): string {
  return splitLines(value)
    .map((line) => {
      let length = 0
      return line
        .split(' ')
        .map((word, index) => {
          const breaks = index > 0 && length + 1 + word.length > width
          length = index === 0 || breaks ? word.length : length + 1 + word.length
          return index === 0 ? word : (breaks ? '\n' : ' ') + word
        })
        .join('')
    })
    .join('\n')
}

const FORMAT = /^([-+ 0#]{0,5})(\d{0,3})(?:\.(\d{1,2}))?([sdiufFeEgGxXo])$/

/** Formats a value by a format specifier of Python, without its `%`; empty if the format or the value is not valid. */
function formatPython(value: unknown, format: string): string {
  const [, flags = '', width = '', precision, kind = ''] = FORMAT.exec(format) ?? []
  if (kind === '') return ''
  const number = Number(toDecimal(value) ?? Number.NaN)
  if (kind !== 's' && Number.isNaN(number)) return ''
  const unsigned =
    kind === 's'
      ? toText(value).slice(0, precision === undefined ? undefined : Number(precision))
      : formatDigits(number, kind, precision)
  const signed = flags.includes('+') && kind !== 's' && number >= 0 ? `+${unsigned}` : unsigned
  if (flags.includes('-')) return signed.padEnd(Number(width))
  if (!flags.includes('0') || kind === 's') return signed.padStart(Number(width))
  const [sign, rest] = /^[+-]/.test(signed) ? [signed[0] as string, signed.slice(1)] : ['', signed]
  return sign + rest.padStart(Number(width) - sign.length, '0')
}

function formatDigits(number: number, kind: string, precision: string | undefined): string {
  if (/[diu]/.test(kind)) return String(Math.trunc(number))
  if (/[xX]/.test(kind)) return kind === 'x' ? Math.trunc(number).toString(16) : Math.trunc(number).toString(16).toUpperCase()
  if (kind === 'o') return Math.trunc(number).toString(8)
  if (/[eE]/.test(kind)) return number.toExponential(Number(precision ?? 6)).replace(/e([+-])(\d)$/, 'e$10$2')
  return /[fF]/.test(kind)
    ? number.toFixed(Number(precision ?? 6))
    : String(Number(number.toPrecision(Number(precision ?? 6) || 1)))
}

/** Renders nested lists as `<li>`, without the outer `<ul>`. */
function renderList(entries: readonly unknown[], escaped: (text: string) => string, depth = 0): string {
  if (depth > 20) throw new Error('Lists are nested too deeply.')
  return entries
    .map((entry, index) => {
      if (Array.isArray(entry)) return ''
      const below = entries[index + 1]
      return `<li>${escaped(toText(entry))}${Array.isArray(below) ? `<ul>${renderList(below, escaped, depth + 1)}</ul>` : ''}</li>`
    })
    .join('')
}

const encodeUrl = (value: string, safeCharacters: string): string =>
  encodeURIComponent(value.toWellFormed()).replaceAll(/%[0-9A-F]{2}/g, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return character < '\u0080' && safeCharacters.includes(character) ? character : code
  })

/** URLs in a text, and the letters on the keys of a telephone. */
const WEB_URL = /https?:\/\/[^\s<>"'&]+/g
const PHONE_KEYS = '22233344455566677778889999'

export const textFilters: Record<string, DjangoFilter> = {
  lower: createTextFilter((value) => value.toLowerCase()),
  upper: createTextFilter((value) => value.toUpperCase()),
  title: createTextFilter(toTitleCase),
  capfirst: createTextFilter(capitalize),
  slugify: createTextFilter(toSlug),
  addslashes: createTextFilter((value) => value.replaceAll(/[\\"']/g, '\\$&')),
  wordcount: createTextFilter((value) => value.split(/\s+/).filter(Boolean).length),
  striptags: { apply: (value) => toText(value).replaceAll(/<[^<>]*>/g, '') },
  truncatechars: createSizedFilter(truncate),
  truncatewords: createSizedFilter(truncateWords),
  center: createSizedFilter(center),
  ljust: createSizedFilter((value, size) => value.padEnd(size)),
  rjust: createSizedFilter((value, size) => value.padStart(size)),
  wordwrap: createSizedFilter(wrapLines),
  cut: {
    argument: 'required',
    apply: (value, cut) => (toText(cut) === '' ? toText(value) : toText(value).replaceAll(toText(cut), '')),
  },
  stringformat: { argument: 'required', keepsSafe: true, apply: (value, format) => formatPython(value, toText(format)) },
  safe: { apply: (value) => new SafeHtml(toText(value)) },
  safeseq: { apply: (value) => (Array.isArray(value) ? value.map((entry) => new SafeHtml(toText(entry))) : value) },
  // output is escaped anyway, but never twice
  escape: { apply: (value, _argument, { isSafe }) => (isSafe ? value : new SafeHtml(escapeHtml(toText(value)))) },
  force_escape: { apply: (value) => new SafeHtml(escapeHtml(toText(value))) },
  escapejs: {
    apply: (value) =>
      new SafeHtml(
        toText(value).replaceAll(
          /[\p{Cc}\\'"<>&=;`\u2028\u2029-]/gu,
          (character) => `\\u${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
      ),
  },
  linebreaks: {
    apply: createHtmlFilter((value) =>
      splitLines(value)
        .join('\n')
        .split(/\n{2,}/)
        .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
        .join('\n\n'),
    ),
  },
  linebreaksbr: { apply: createHtmlFilter((value) => splitLines(value).join('<br>')) },
  linenumbers: {
    apply: createHtmlFilter((value) => {
      const all = value.split('\n')
      return all.map((line, index) => `${String(index + 1).padStart(String(all.length).length, '0')}. ${line}`).join('\n')
    }),
  },
  urlize: {
    apply: createHtmlFilter((value) => value.replaceAll(WEB_URL, (address) => `<a href="${address}">${address}</a>`)),
  },
  urlizetrunc: {
    argument: 'required',
    apply: (value, argument, call) => {
      const maxLength = toInteger(argument)
      return createHtmlFilter((content) =>
        content.replaceAll(WEB_URL, (address) => `<a href="${address}">${truncate(address, maxLength)}</a>`),
      )(...[value, argument, call])
    },
  },
  phone2numeric: createTextFilter((value) =>
    value.replaceAll(/[a-z]/gi, (letter) => PHONE_KEYS[letter.toLowerCase().charCodeAt(0) - 97] as string),
  ),
  urlencode: {
    argument: 'optional',
    apply: (value, safeCharacters) => encodeUrl(toText(value), safeCharacters === undefined ? '/' : toText(safeCharacters)),
  },
  iriencode: { keepsSafe: true, apply: (value) => encodeUrl(toText(value), "/#%[]=:;$&()+,!?*@'~") },
  unordered_list: {
    apply: (value, _argument, { isEscaping }) =>
      new SafeHtml(renderList(Array.isArray(value) ? value : [], isEscaping ? escapeHtml : (entry) => entry)),
  },
  markdownify: { apply: (value, _argument, { context }) => getEngine(context).own.markdown?.(toText(value)) },
}
