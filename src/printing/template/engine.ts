import { type Context, type Emitter, filters as known, Liquid, type Template } from 'liquidjs'
import type { Bounds } from './bounds.ts'
import { templateFiles } from './files.ts'
import { ownFilters, type Surroundings } from './filters/index.ts'
import { escapeOutput, textOf } from './output.ts'
import { ownTags } from './tags.ts'

/** Characters of a template, or of a file that it includes. */
export const MAX_TEMPLATE_LENGTH = 1_000_000

/**
 * Filters of LiquidJS that templates have not: those that put out unescaped text, show the inside of objects, or are for programs
 * rather than paper.
 */
const WITHOUT = new Set([
  'raw',
  'json',
  'jsonify',
  'inspect',
  'base64_decode',
  'base64_encode',
  'sha256',
  'hmac_sha256',
  'sample',
])

/**
 * LiquidJS as templates have it: only own properties of objects can be read, output is escaped, files are snippets and
 * what we ship, and `Bounds` stand round every block.
 * @param options.strict refuses filters that there are not
 * @param options.isHtml off where what comes out is no HTML, and not escaped
 */
export function templateEngine(surroundings: Surroundings, options: { strict?: boolean; isHtml?: boolean } = {}): Liquid {
  const { strict = true, isHtml = true } = options
  const engine = new Liquid({
    fs: templateFiles(surroundings.library),
    root: '',
    relativeReference: false,
    cache: true,
    ownPropertyOnly: true,
    strictFilters: strict,
    outputEscape: isHtml ? escapeOutput : textOf,
    parseLimit: MAX_TEMPLATE_LENGTH,
    locale: 'en-US',
  })
  for (const name of Object.keys(known)) if (WITHOUT.has(name) || name.startsWith('date_to_')) engine.unregisterFilter(name)
  for (const [name, filter] of Object.entries(ownFilters(surroundings))) engine.registerFilter(name, filter)
  for (const [name, tag] of Object.entries(ownTags)) engine.registerTag(name, tag)
  boundBlocks(engine)
  return engine
}

/** Text on its way out, counted. */
class BoundedEmitter implements Emitter {
  buffer = ''
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  write(value: unknown): void {
    const text = textOf(value)
    this.#bounds.write(text.length)
    this.buffer += text
  }
}

/** Every block, turn of a loop and included file is rendered by `renderTemplates`: there its depth and output are counted. */
function boundBlocks({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = function* (templates: Template[], context: Context, emitter?: Emitter) {
    const bounds = context.renderLimit as unknown as Bounds
    bounds.enter()
    const turn = bounds.turn()
    if (turn) yield turn
    const html = yield* render(templates, context, emitter ?? new BoundedEmitter(bounds)) as Generator<unknown, unknown>
    bounds.leave()
    return html
  }
}
