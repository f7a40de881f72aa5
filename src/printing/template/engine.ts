import { type Context, type Emitter, filters as known, Liquid, type Template } from 'liquidjs'
import { BoundExceeded, type Bounds, MOST_ENTRIES } from './bounds.ts'
import { templateFiles } from './files.ts'
import { ownFilters, type Surroundings } from './filters/index.ts'
import { escapeOutput, textOf } from './output.ts'
import { ownTags } from './tags.ts'

/**
 * Filters of LiquidJS that templates have not: those that put out unescaped text, show the inside of objects, are for programs rather
 * than paper, or hold a piece of template of their own.
 */
const WITHOUT = /^(?:raw|json|jsonify|inspect|base64_.*|sha256|hmac_sha256|sample|date_to_.*|.*_exp)$/

/** Filters that look at every entry of a list, one by one. */
const OF_LISTS = ['sort', 'sort_natural', 'map', 'sum', 'where', 'reject', 'group_by', 'has', 'find', 'find_index']

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
    locale: 'en-US',
  })
  for (const name of Object.keys(known)) if (WITHOUT.test(name)) engine.unregisterFilter(name)
  for (const [name, filter] of Object.entries(ownFilters(surroundings))) engine.registerFilter(name, filter)
  for (const name of OF_LISTS) engine.registerFilter(name, ofShortLists(engine.filters[name] as LiquidFilter))
  for (const [name, tag] of Object.entries(ownTags)) engine.registerTag(name, tag)
  // what stands in it would not be counted among the tags of a template
  delete engine.tags.liquid
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

/** Every block, turn of a loop and included file is rendered by `renderTemplates`: there its depth, time and output are counted. */
function boundBlocks({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = function* (templates: Template[], context: Context, emitter?: Emitter) {
    const bounds = context.renderLimit as unknown as Bounds
    const counted = emitter ?? new BoundedEmitter(bounds)
    bounds.enter()
    yield* pause(bounds)
    for (const template of templates) {
      yield* render([template], context, counted) as Generator<unknown, unknown>
      if (context.breakCalled || context.continueCalled) break
      yield* pause(bounds)
    }
    bounds.leave()
    return counted.buffer
  }
}

/** Lets others have their turn, if it is time for it. */
function* pause(bounds: Bounds): Generator<unknown, void> {
  bounds.check(performance.now())
  const turn = bounds.turn()
  if (turn) yield turn
}

type LiquidFilter = (this: unknown, list: unknown, ...given: unknown[]) => unknown

/** A filter of lists cannot be broken off while it is at work. */
const ofShortLists = (filter: LiquidFilter): LiquidFilter =>
  function (list, ...given) {
    if (Array.isArray(list) && list.length > MOST_ENTRIES)
      throw new BoundExceeded(`A list of more than ${MOST_ENTRIES} entries is too long for this filter.`)
    return filter.call(this, list, ...given)
  }
