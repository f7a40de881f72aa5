import { type Context, type Emitter, filters as known, Liquid, type Template } from 'liquidjs'
import { BoundExceeded, type Bounds, checkSize, MAX_LIST_ENTRIES } from './bounds.ts'
import { DjangoParser } from './django/parser.ts'
import { textOf as djangoText } from './django/values.ts'
import { BoundedEmitter } from './emitter.ts'
import { EXCLUDED_FILTERS } from './excluded-filters.ts'
import { findTemplate, noTemplate } from './files.ts'
import type { FilterHandler } from './filters/filter.ts'
import { type FilterEnvironment, ownFilters } from './filters/index.ts'
import type { Language } from './language.ts'
import { escapeHtml, escapeOutput, Safe, textOf } from './output.ts'
import { ownTags } from './tags.ts'

/** Filters that process every entry of a list. */
const OF_LISTS = ['sort', 'sort_natural', 'map', 'sum', 'where', 'reject', 'group_by', 'has', 'find', 'find_index']

/**
 * LiquidJS configured for templates: only own properties of objects can be read, output is escaped, files are snippets and shipped files,
 * and `Bounds` limit every block. Templates in the syntax of Django are parsed into the same nodes (ADR 0030).
 */
export class TemplateEngine extends Liquid {
  readonly environment: FilterEnvironment
  /** Our filters by their names; tags of templates in the syntax of Django call them too. */
  readonly own: Readonly<Record<string, FilterHandler>>
  /** Off if the output is not HTML, and so not escaped. */
  readonly isHtml: boolean
  /** Requested files, by their language and name: each is read once per print. */
  readonly #files = new Map<string, Promise<Template[]>>()

  constructor(environment: FilterEnvironment, { isHtml = true }: { isHtml?: boolean } = {}) {
    super({
      ownPropertyOnly: true,
      strictFilters: true,
      outputEscape: isHtml ? escapeOutput : textOf,
      locale: 'en-US',
    })
    this.environment = environment
    this.own = ownFilters(environment)
    this.isHtml = isHtml
    for (const name of Object.keys(known)) if (EXCLUDED_FILTERS.test(name)) this.unregisterFilter(name)
    for (const [name, filter] of Object.entries(this.own)) this.registerFilter(name, filter)
    for (const name of OF_LISTS) this.registerFilter(name, limitListLength(this.filters[name] as LiquidFilter))
    for (const [name, tag] of Object.entries(ownTags)) this.registerTag(name, tag)
    // its content would not be counted among the tags of a template
    delete this.tags.liquid
    boundBlocks(this)
  }

  /** Reads a file that a template extends or includes, in the file's own language, or else in that of the template. */
  file(path: string, language: Language): Promise<Template[]> {
    const key = `${language} ${path}`
    const cachedFile = this.#files.get(key) ?? this.#read(path, language)
    this.#files.set(key, cachedFile)
    return cachedFile
  }

  async #read(path: string, language: Language): Promise<Template[]> {
    const templateSource = await findTemplate(this.environment.library, path, language)
    if (!templateSource) throw new Error(noTemplate(path))
    checkSize(templateSource.text)
    return templateSource.language === 'django'
      ? new DjangoParser(this, templateSource.text).rest()
      : this.parse(templateSource.text)
  }

  override *_parsePartialFile(path: string): Generator<unknown, Template[], Template[]> {
    return yield this.file(path, 'liquid')
  }

  override *_parseLayoutFile(path: string): Generator<unknown, Template[], Template[]> {
    return yield this.file(path, 'liquid')
  }

  /** Returns the output text of `{{ }}` in a template in the syntax of Django. */
  formatValue(value: unknown, isEscaping: boolean): string {
    const text = djangoText(value)
    return !isEscaping || value instanceof Safe ? text : escapeHtml(text)
  }
}

/** `renderTemplates` renders every block, loop iteration and included file: this counts their depth, time and output. */
function boundBlocks({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = function* (templates: Template[], context: Context, emitter?: Emitter) {
    const bounds = context.renderLimit as unknown as Bounds
    const counted = emitter ? counting(emitter, bounds) : new BoundedEmitter(bounds)
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

/** Makes emitters count that LiquidJS creates itself for the content of a block of the extended template. */
function counting(emitter: Emitter & { buffer?: unknown }, bounds: Bounds): Emitter & { buffer?: unknown } {
  if (emitter instanceof BoundedEmitter || emitter instanceof CountingEmitter) return emitter
  return new CountingEmitter(emitter, bounds)
}

class CountingEmitter implements Emitter {
  readonly #emitter: Emitter
  readonly #bounds: Bounds

  constructor(emitter: Emitter, bounds: Bounds) {
    this.#emitter = emitter
    this.#bounds = bounds
  }

  get buffer(): string {
    return (this.#emitter as Emitter & { buffer: string }).buffer
  }

  write(value: unknown): void {
    const text = textOf(value)
    this.#bounds.write(text.length)
    this.#emitter.write(text)
  }
}

/** Yields to other requests, if it is time. */
function* pause(bounds: Bounds): Generator<unknown, void> {
  bounds.check(performance.now())
  const turn = bounds.turn()
  if (turn) yield turn
}

type LiquidFilter = (this: unknown, list: unknown, ...args: unknown[]) => unknown

/** Limits a list filter, which cannot be interrupted while it runs. */
const limitListLength = (filter: LiquidFilter): LiquidFilter =>
  function (list, ...args) {
    if (Array.isArray(list) && list.length > MAX_LIST_ENTRIES)
      throw new BoundExceeded(`A list of more than ${MAX_LIST_ENTRIES} entries is too long for this filter.`)
    return filter.call(this, list, ...args)
  }
