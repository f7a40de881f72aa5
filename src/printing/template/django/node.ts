import type { Context, Emitter, Template, Token } from 'liquidjs'
import type { Call, Engine, Steps } from './engine.ts'
import type { Expression } from './expression.ts'

/** A tag as it stands in a template. */
export type OpenTag = {
  name: string
  /** What follows the name, by words. */
  words: readonly string[]
  token: Token
}

/** A block, which a template that extends another fills. */
export type Fillable = { store(context: Context): void }

/** A template while it is read, as its tags know it. */
export type Reading = {
  readonly engine: Engine
  /** Every block of the template, whatever it lies in. */
  readonly blocks: Map<string, Fillable>
  /** What tags leave for those that follow them. */
  readonly remembered: Map<string, unknown>
  /** All that is left of the template. */
  rest(): Template[]
  /** What stands before the tag that ends or divides a block, and that tag. @throws ParseError when it never comes */
  until(opened: OpenTag, ...names: string[]): { templates: Template[]; end: OpenTag }
  /** Passes over everything up to the tag of this name. */
  skipTo(name: string): void
  expression(text: string): Expression
  /** What filters and tags are told while the template is printed. */
  call(context: Context): Call
  /** Puts a value out, or sets it aside under a name. */
  valued(token: Token, name: string | undefined, value: (call: Call) => Steps): Template
  /** Something there is not: it is noted once, or refused. */
  lacks(key: string, message: string): void
  /** Takes note of a file that is extended or included by its name. */
  names(path: string): void
}

/** Makes of a tag what puts something out, with all up to its end; undefined of one that only says something to the reader. */
export type TagReader = (tag: OpenTag, reading: Reading) => Template | undefined

/** Something that puts out what `render` writes. */
export const node = (token: Token, render: (context: Context, emitter: Emitter) => Steps<void> | void): Template => ({
  token,
  render,
})
