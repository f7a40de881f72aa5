import { type Context, Drop, type Emitter, type Template, type Token } from 'liquidjs'
import type { Bounds } from '../../bounds.ts'
import { BoundedEmitter } from '../../emitter.ts'
import { getEngine, type Steps } from '../engine.ts'
import { shorten } from '../expression.ts'
import { createNode, type TagReader } from '../node.ts'
import { pushScope } from '../resolve-variable.ts'
import { toText } from '../values.ts'
import { evaluateArguments, readNamedArguments } from './arguments.ts'

/** Renderer of a block's content, stored by LiquidJS under the block's name for the extended template. */
type BlockRender = (parent: Drop, emitter: Emitter) => Steps<void>
type Blocks = Record<string, BlockRender>

const getBlocks = (context: Context): Blocks => context.getRegister('blocks', Object.create(null)) as Blocks

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

/** A block that a template extending this one may fill. The block tag of LiquidJS can fill such blocks, and they can fill it. */
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
    const blocks = getBlocks(context)
    const child = blocks[this.#name]
    const stored: BlockRender = (parent, emitter) =>
      child
        ? child(new ParentBlock(context, (target) => this.#fill(context, parent, target)), emitter)
        : this.#fill(context, parent, emitter)
    this.#stored.add(stored)
    blocks[this.#name] = stored
  }

  *render(context: Context, emitter: Emitter): Steps<void> {
    const emptyParent = new ParentBlock(context)
    const child = getBlocks(context)[this.#name]
    if (!child) yield* this.#fill(context, emptyParent, emitter)
    else if (this.#stored.has(child)) yield* child(emptyParent, emitter)
    else yield child(new ParentBlock(context, (target) => this.#fill(context, emptyParent, target)), emitter)
  }

  *#fill(context: Context, parent: Drop, emitter: Emitter): Steps<void> {
    pushScope(context, { block: parent })
    yield* getEngine(context).renderer.renderTemplates(this.templates, context, emitter)
    context.pop()
  }
}

const block: TagReader = (tag, parser) => {
  const [name] = tag.words
  if (name === undefined || tag.words.length > 1) throw new Error('A block must have one name.')
  if (parser.blocks.has(name)) throw new Error(`There are two blocks "${shorten(name)}".`)
  const blockNode = new Block(tag.token, name)
  parser.blocks.set(name, blockNode)
  blockNode.templates = parser.readUntil(tag, 'endblock').templates
  return blockNode
}

/** An extending template's content outside of its blocks is not printed. */
const readExtends: TagReader = (tag, parser) => {
  const [word] = tag.words
  if (word === undefined || tag.words.length > 1) throw new Error('"extends" must name one template.')
  const file = parser.parseExpression(word)
  if (typeof file.literal === 'string') parser.recordFile(file.literal)
  const { blocks, engine } = parser
  parser.parseRest()
  return createNode(tag.token, function* (context, emitter) {
    const path = toText(yield* file.value(parser.call(context)))
    for (const namedBlock of blocks.values()) namedBlock.store(context)
    const templates = (yield engine.file(path, 'django')) as Template[]
    yield* engine.renderer.renderTemplates(templates, context, emitter)
  })
}

/** `{% include "snippets/a.html" with title="A" only %}` */
const include: TagReader = (tag, parser) => {
  const [word, ...others] = tag.words
  if (word === undefined) throw new Error('"include" must name a template.')
  const file = parser.parseExpression(word)
  if (typeof file.literal === 'string') parser.recordFile(file.literal)
  const isIsolated = others.at(-1) === 'only'
  const [keyword, ...options] = isIsolated ? others.slice(0, -1) : others
  if (keyword !== undefined && (keyword !== 'with' || options.length === 0)) throw new Error('"include" takes "with" and "only".')
  const variables = readNamedArguments(options, parser)
  const { engine } = parser
  return createNode(tag.token, function* (context, emitter) {
    const call = parser.call(context)
    const path = toText(yield* file.value(call))
    const values = yield* evaluateArguments(variables, call)
    const templates = (yield engine.file(path, 'django')) as Template[]
    if (isIsolated) {
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

export const blockTags: Record<string, TagReader> = { block, extends: readExtends, include }
