import { type Context, ParseError, type Template, Token, TokenKind } from 'liquidjs'
import type { Call, Engine, Steps } from './engine.ts'
import { type DjangoFilter, type Expression, parseExpression, shorten } from './expression.ts'
import { filters } from './filters/index.ts'
import { type Piece, splitPieces, splitWords } from './lexer.ts'
import { createNode, type Fillable, type OpenTag, type TagParser } from './node.ts'
import { setVariable } from './resolve-variable.ts'
import { tags } from './tags/index.ts'

/** Maximum nesting of tags. */
const MAX_TAG_DEPTH = 60

/** Receives missing tags and filters and the files that a template names; parsing continues. */
export type ParseListener = {
  problem(message: string, position: number): void
  file(path: string, position: number): void
}

/** A position in a template. */
class SourceToken extends Token {
  constructor(source: string, { begin, end }: Pick<Piece, 'begin' | 'end'>) {
    super(TokenKind.Tag, source, begin, end)
  }
}

/** Parses a Django template into nodes that LiquidJS renders, so that all limits of templates apply to it. */
export class DjangoParser implements TagParser {
  readonly engine: Engine
  readonly blocks = new Map<string, Fillable>()
  readonly sharedState = new Map<string, unknown>()
  readonly #source: string
  readonly #pieces: readonly Piece[]
  readonly #notes: ParseListener | undefined
  readonly #missing = new Set<string>()
  #at = 0
  #depth = 0
  #token: Token

  /** @param notes without it, a missing tag or filter is an error */
  constructor(engine: Engine, source: string, notes?: ParseListener) {
    this.engine = engine
    this.#source = source
    this.#pieces = splitPieces(source)
    this.#notes = notes
    this.#token = new SourceToken(source, { begin: 0, end: 0 })
  }

  parseRest(): Template[] {
    return this.#read([]).templates
  }

  readUntil(opened: OpenTag, ...names: string[]): { templates: Template[]; end: OpenTag } {
    if (++this.#depth > MAX_TAG_DEPTH) throw new Error(`Tags are nested more than ${MAX_TAG_DEPTH} levels deep.`)
    const { templates, end } = this.#read(names)
    this.#depth--
    if (!end) throw new ParseError(new Error(`The tag "${opened.name}" is not closed.`), opened.token)
    return { templates, end }
  }

  skipTo(name: string): void {
    while (this.#at < this.#pieces.length) {
      const { kind, content } = this.#pieces[this.#at++] as Piece
      if (kind === 'tag' && splitWords(content)[0] === name) return
    }
    throw new Error(`"${name}" does not exist.`)
  }

  parseExpression(text: string): Expression {
    return parseExpression(text, {
      find: (name) => {
        const filter: DjangoFilter | undefined = Object.hasOwn(filters, name) ? filters[name] : undefined
        if (!filter) this.reportMissing(`filter ${name}`, `The filter "${shorten(name)}" does not exist.`)
        return filter
      },
    })
  }

  call(context: Context): Call {
    return { context, isEscaping: this.engine.isHtml && context.getRegister('autoescape') !== 'off' }
  }

  /** Outputs the value of an expression. */
  output(value: (call: Call) => Steps, token = this.#token): Template {
    const parser = this
    return createNode(token, function* (context, emitter) {
      const call = parser.call(context)
      emitter.write(parser.engine.formatValue(yield* value(call), call.isEscaping))
    })
  }

  createValueNode(token: Token, name: string | undefined, value: (call: Call) => Steps): Template {
    if (name === undefined) return this.output(value, token)
    const parser = this
    return createNode(token, function* (context) {
      setVariable(context, name, yield* value(parser.call(context)))
    })
  }

  reportMissing(key: string, message: string): void {
    if (!this.#notes) throw new Error(message)
    if (this.#missing.has(key)) return
    this.#missing.add(key)
    this.#notes.problem(message, this.#token.begin)
  }

  recordFile(path: string): void {
    this.#notes?.file(path, this.#token.begin)
  }

  #read(names: readonly string[]): { templates: Template[]; end?: OpenTag } {
    const templates: Template[] = []
    while (this.#at < this.#pieces.length) {
      const piece = this.#pieces[this.#at++] as Piece
      if (piece.kind === 'comment') continue
      const token = new SourceToken(this.#source, piece)
      this.#token = token
      try {
        if (piece.kind === 'text') templates.push(createNode(token, (_, emitter) => emitter.write(piece.content)))
        else if (piece.kind === 'output') templates.push(this.#output(piece.content))
        else {
          const tag = this.#tag(piece.content, token)
          if (names.includes(tag.name)) return { templates, end: tag }
          const template = this.#readTag(tag)
          if (template) templates.push(template)
        }
      } catch (error) {
        throw error instanceof ParseError ? error : new ParseError(error as Error, token)
      }
    }
    return { templates }
  }

  #output(content: string): Template {
    if (content === '') throw new Error('The braces are empty.')
    const expression = this.parseExpression(content)
    return this.output((call) => expression.value(call))
  }

  #tag(content: string, token: Token): OpenTag {
    const [name, ...words] = splitWords(content)
    if (name === undefined) throw new Error('The tag is empty.')
    return { name, words, token }
  }

  #readTag(tag: OpenTag): Template | undefined {
    const read = Object.hasOwn(tags, tag.name) ? tags[tag.name] : undefined
    if (read) return read(tag, this)
    const startName = tag.name.startsWith('end') ? tag.name.slice('end'.length) : undefined
    if (startName !== undefined && this.#missing.has(`tag ${startName}`)) return undefined
    if (startName !== undefined || INNER_TAGS.has(tag.name))
      throw new Error(`The tag "${shorten(tag.name)}" has no matching start tag.`)
    this.reportMissing(`tag ${tag.name}`, `The tag "${shorten(tag.name)}" does not exist.`)
    return undefined
  }
}

/** Tags that are only valid inside others. */
const INNER_TAGS = new Set(['else', 'elif', 'empty', 'plural'])
