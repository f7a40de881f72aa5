import type { Template } from 'liquidjs'
import { SafeHtml } from '../../output.ts'
import { formatDjangoDate } from '../dates.ts'
import { getEngine } from '../engine.ts'
import { shorten } from '../expression.ts'
import { createNode, type TagReader } from '../node.ts'
import { pushScope } from '../resolve-variable.ts'
import { toDecimal, toText } from '../values.ts'
import { evaluateArguments, parseVariableName, readNamedArguments, splitName } from './arguments.ts'

/** `{% filter upper|linebreaks %}`: the content of the block, filtered. */
const readFilter: TagReader = (tag, parser) => {
  const expression = parser.parseExpression(`filtered|${tag.words.join(' ')}`)
  const { templates } = parser.readUntil(tag, 'endfilter')
  return createNode(tag.token, function* (context, emitter) {
    const text = yield* getEngine(context).renderer.renderTemplates(templates, context)
    const call = parser.call(context)
    pushScope(context, { filtered: new SafeHtml(toText(text)) })
    emitter.write(parser.engine.formatValue(yield* expression.value(call), call.isEscaping))
    context.pop()
  })
}

const now: TagReader = (tag, parser) => {
  const { words, name } = splitName(tag.words)
  const [word] = words
  if (word === undefined || words.length > 1) throw new Error('"now" requires a format.')
  const format = parser.parseExpression(word)
  return parser.createValueNode(tag.token, name, function* (call) {
    return formatDjangoDate(new Date(), toText(yield* format.value(call)))
  })
}

const TAG_SYMBOLS: Record<string, string> = {
  openblock: '{%',
  closeblock: '%}',
  openvariable: '{{',
  closevariable: '}}',
  openbrace: '{',
  closebrace: '}',
  opencomment: '{#',
  closecomment: '#}',
}

const templateTag: TagReader = (tag) => {
  const [name = ''] = tag.words
  const piece = Object.hasOwn(TAG_SYMBOLS, name) ? TAG_SYMBOLS[name] : undefined
  if (piece === undefined) throw new Error(`"templatetag" does not support "${shorten(name)}".`)
  return createNode(tag.token, (_context, emitter) => emitter.write(piece))
}

/** `{% widthratio value maximum width %}`: a share of a width, as an integer. */
const widthRatio: TagReader = (tag, parser) => {
  const { words, name } = splitName(tag.words)
  if (words.length !== 3) throw new Error('"widthratio" requires three numbers.')
  const numbers = words.map((word) => parser.parseExpression(word))
  return parser.createValueNode(tag.token, name, function* (call) {
    const values: number[] = []
    for (const number of numbers) values.push(Number(toDecimal(yield* number.value(call)) ?? Number.NaN))
    const [value = 0, maximum = 0, width = 0] = values
    const ratio = Math.round((value / maximum) * width)
    return Number.isFinite(ratio) ? ratio : '0'
  })
}

/** Converts a CSS length to millimeters; undefined if it is not a length on paper. */
function toMillimeters(length: string): number | undefined {
  const [, number, unit = 'mm'] = /^\+?(\d{1,5}(?:\.\d{1,5})?|\.\d{1,5})(mm|cm|in|pt|pc|px)?$/.exec(length) ?? []
  return number === undefined ? undefined : Number(number) * (UNITS[unit] as number)
}

const UNITS: Record<string, number> = { mm: 1, cm: 10, in: 25.4, pt: 25.4 / 72, pc: 25.4 / 6, px: 25.4 / 96 }

/** Millimeters for a header above the page's content, and for the space above the header. */
const HEADER_MM = 25
const MIN_TOP_MM = 5

/**
 * `{% headroom %}margin: 2cm; margin-top: 4cm;{% endheadroom %}`, in the base of reports: the page margins, with the lower part of the top
 * margin reserved for the header. The variable `headroom` is its height. In InvenTree a header can be placed into the page margin;
 * Chromium renders nothing there but the margin boxes.
 */
const headroom: TagReader = (tag, parser) => {
  const { templates } = parser.readUntil(tag, 'endheadroom')
  return createNode(tag.token, function* (context, emitter) {
    const declarations = toText(yield* getEngine(context).renderer.renderTemplates(templates, context))
    let top = 0
    for (const declaration of declarations.split(';')) {
      const [name = '', value = ''] = declaration.split(':').map((part) => part.trim())
      if (name === 'margin' || name === 'margin-top') top = toMillimeters(value.split(/\s+/)[0] ?? '') ?? top
    }
    const topMargin = Math.min(top, Math.max(top - HEADER_MM, MIN_TOP_MM))
    Object.assign(context.bottom(), { headroom: `${Number((top - topMargin).toFixed(2))}mm` })
    emitter.write(`${declarations}\nmargin-top: ${Number(topMargin.toFixed(2))}mm;`)
  })
}

const ignoreTag: TagReader = () => undefined

/** There is one language: the text is output unchanged. */
const readTranslate: TagReader = (tag, parser) => {
  const [word, ...options] = tag.words
  if (word === undefined) throw new Error(`"${tag.name}" requires a text.`)
  const { name } = splitName(options)
  const text = parser.parseExpression(word)
  return parser.createValueNode(tag.token, name, (call) => text.value(call))
}

/** `{% blocktrans with name=value count n=list.length trimmed %}one{% plural %}many{% endblocktrans %}` */
const readBlockTranslate: TagReader = (tag, parser) => {
  const isTrimmed = tag.words.includes('trimmed')
  const words = tag.words.filter((word) => !['with', 'trimmed', 'and'].includes(word))
  const variable = takeWordAfter(words, 'asvar')
  const name = variable === undefined ? undefined : parseVariableName(variable)
  takeWordAfter(words, 'context')
  const countIndex = words.indexOf('count')
  const counter = countIndex === -1 ? undefined : words[countIndex + 1]?.split('=')[0]
  const variables = readNamedArguments(
    words.filter((word) => word !== 'count'),
    parser,
  )
  const endTags = ['endblocktrans', 'endblocktranslate']
  const { templates, end } = parser.readUntil(tag, 'plural', ...endTags)
  const plural = end.name === 'plural' ? parser.readUntil(tag, ...endTags).templates : undefined
  return parser.createValueNode(tag.token, name, function* (call) {
    const { context } = call
    const values = yield* evaluateArguments(variables, call)
    pushScope(context, values)
    const isOne = counter === undefined || toDecimal(values[counter]) === '1'
    const chosen: Template[] = isOne || !plural ? templates : plural
    const text = toText(yield* getEngine(context).renderer.renderTemplates(chosen, context))
    context.pop()
    return new SafeHtml(isTrimmed ? joinLines(text) : text)
  })
}

/** Joins trimmed lines into one. */
const joinLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()

/** Removes a word and the one after it; returns the latter. */
function takeWordAfter(words: string[], word: string): string | undefined {
  const index = words.indexOf(word)
  return index === -1 ? undefined : words.splice(index, 2)[1]
}

const currentLanguage: TagReader = (tag, parser) => {
  const [as, name] = tag.words
  if (as !== 'as') throw new Error(`"${tag.name}" must have the form: ${tag.name} as name.`)
  // biome-ignore lint/correctness/useYield: nothing has to be waited for
  return parser.createValueNode(tag.token, parseVariableName(name), function* () {
    return 'en'
  })
}

export const textTags: Record<string, TagReader> = {
  filter: readFilter,
  headroom,
  now,
  templatetag: templateTag,
  widthratio: widthRatio,
  csrf_token: ignoreTag,
  trans: readTranslate,
  translate: readTranslate,
  blocktrans: readBlockTranslate,
  blocktranslate: readBlockTranslate,
  get_current_language: currentLanguage,
}
