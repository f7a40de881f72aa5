import { type Context, Drop, type Emitter, type Template, type Token } from 'liquidjs'
import type { Bounds } from '../../bounds.ts'
import { BoundedEmitter } from '../../emitter.ts'
import { engineOf, type Steps } from '../engine.ts'
import { shortened } from '../expression.ts'
import { node, type TagReader } from '../node.ts'
import { pushScope } from '../resolve-variable.ts'
import { textOf } from '../values.ts'
import { readNamedArguments, valuesOf } from './arguments.ts'

/** Renderer of a block's content, stored by LiquidJS under the block's name for the extended template. */
type BlockRender = (parent: Drop, emitter: Emitter) => Steps<void>
type Blocks = Record<string, BlockRender>

const blocksOf = (context: Context): Blocks => context.getRegister('blocks', Object.create(null)) as Blocks

/** The extended template's content of a block, which LiquidJS reads under the name `super`. */
class ParentBlock extends Drop {
  readonly #context: Context
  readonly #render: ((emitter: Emitter) => Steps<void>) | undefined

  constructor(context: Context, render?: (emitter: Emitter) => Steps<void>) {
    super()
    this.#context = context
    this.#render = render
  }

  *super(): Steps {
    if (!this.#render) return ''
    const emitter = new BoundedEmitter(this.#context.renderLimit as unknown as Bounds)
    yield* this.#render(emitter)
    return emitter.buffer
  }
}

/** A block that a template extending this one may fill. The tag of LiquidJS fills such blocks, and is filled by them. */
export class Block implements Template {
  readonly token: Token
  templates: Template[] = []
  readonly #name: string
  readonly #stored = new WeakSet<BlockRender>()

  constructor(token: Token, name: string) {
    this.token = token
    this.#name = name
  }

  /** Registers itself for the block of its name in the extended template; templates that extend this one take precedence. */
  store(context: Context): void {
    const blocks = blocksOf(context)
    const child = blocks[this.#name]
    const stored: BlockRender = (parent, emitter) =>
      child
        ? child(new ParentBlock(context, (into) => this.#fill(context, parent, into)), emitter)
        : this.#fill(context, parent, emitter)
    this.#stored.add(stored)
    blocks[this.#name] = stored
  }

  *render(context: Context, emitter: Emitter): Steps<void> {
    const nothing = new ParentBlock(context)
    const child = blocksOf(context)[this.#name]
    if (!child) yield* this.#fill(context, nothing, emitter)
    else if (this.#stored.has(child)) yield* child(nothing, emitter)
    else yield child(new ParentBlock(context, (into) => this.#fill(context, nothing, into)), emitter)
  }

  *#fill(context: Context, parent: Drop, emitter: Emitter): Steps<void> {
    pushScope(context, { block: parent })
    yield* engineOf(context).renderer.renderTemplates(this.templates, context, emitter)
    context.pop()
  }
}

const block: TagReader = (tag, parser) => {
  const [name] = tag.words
  if (name === undefined || tag.words.length > 1) throw new Error('A block must have one name.')
  if (parser.blocks.has(name)) throw new Error(`There are two blocks "${shortened(name)}".`)
  const blockNode = new Block(tag.token, name)
  parser.blocks.set(name, blockNode)
  blockNode.templates = parser.readUntil(tag, 'endblock').templates
  return blockNode
}

/** An extending template's content outside of its blocks is not printed. */
const extending: TagReader = (tag, parser) => {
  const [word] = tag.words
  if (word === undefined || tag.words.length > 1) throw new Error('"extends" must name one template.')
  const file = parser.expression(word)
  if (typeof file.literal === 'string') parser.noteFile(file.literal)
  const { blocks, engine } = parser
  parser.rest()
  return node(tag.token, function* (context, emitter) {
    const path = textOf(yield* file.value(parser.call(context)))
    for (const filled of blocks.values()) filled.store(context)
    const templates = (yield engine.file(path, 'django')) as Template[]
    yield* engine.renderer.renderTemplates(templates, context, emitter)
  })
}

/** `{% include "snippets/a.html" with title="A" only %}` */
const include: TagReader = (tag, parser) => {
  const [word, ...others] = tag.words
  if (word === undefined) throw new Error('"include" must name a template.')
  const file = parser.expression(word)
  if (typeof file.literal === 'string') parser.noteFile(file.literal)
  const isAlone = others.at(-1) === 'only'
  const [keyword, ...options] = isAlone ? others.slice(0, -1) : others
  if (keyword !== undefined && (keyword !== 'with' || options.length === 0)) throw new Error('"include" takes "with" and "only".')
  const variables = readNamedArguments(options, parser)
  const { engine } = parser
  return node(tag.token, function* (context, emitter) {
    const call = parser.call(context)
    const path = textOf(yield* file.value(call))
    const values = yield* valuesOf(variables, call)
    const templates = (yield engine.file(path, 'django')) as Template[]
    if (isAlone) {
      yield* engine.renderer.renderTemplates(templates, context.spawn(values), emitter)
      return
    }
    const saved = context.saveRegister('blocks', 'blockMode')
    context.setRegister('blocks', Object.create(null))
    context.setRegister('blockMode', 0)
    pushScope(context, values)
    yield* engine.renderer.renderTemplates(templates, context, emitter)
    context.pop()
    context.restoreRegister(saved)
  })
}

export const blockTags: Record<string, TagReader> = { block, extends: extending, include }
