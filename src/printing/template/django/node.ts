import type { Context, Emitter, Template, Token } from 'liquidjs'
import type { Call, Engine, Steps } from './engine.ts'
import type { Expression } from './expression.ts'

/** A tag as written in a template. */
export type OpenTag = {
  name: string
  /** The words after the name. */
  words: readonly string[]
  token: Token
}

/** A block, which an extending template fills. */
export type Fillable = { store(context: Context): void }

/** The parser's state, as tags see it. */
export type TagParser = {
  readonly engine: Engine
  /** All blocks of the template, at any depth. */
  readonly blocks: Map<string, Fillable>
  /** Values that tags leave for later tags. */
  readonly sharedState: Map<string, unknown>
  /** Parses the rest of the template. */
  parseRest(): Template[]
  /** Parses up to the tag that ends or divides a block; returns the content and that tag. @throws ParseError when there is no such tag */
  readUntil(opened: OpenTag, ...names: string[]): { templates: Template[]; end: OpenTag }
  /** Skips everything up to the tag of this name. */
  skipTo(name: string): void
  parseExpression(text: string): Expression
  /** Context of filters and tags during printing. */
  call(context: Context): Call
  /** Outputs a value, or assigns it to a name. */
  createValueNode(token: Token, name: string | undefined, value: (call: Call) => Steps): Template
  /** Reports something missing: it is recorded once, or rejected. */
  reportMissing(key: string, message: string): void
  /** Records a file that is extended or included by its name. */
  recordFile(path: string): void
}

/** Turns a tag, with everything up to its end, into a renderable node; undefined for one that only affects the parser. */
export type TagReader = (tag: OpenTag, parser: TagParser) => Template | undefined

/** Creates a node that outputs the text that `render` writes. */
export const createNode = (token: Token, render: (context: Context, emitter: Emitter) => Steps<void> | void): Template => ({
  token,
  render,
})
