import { type Context, type Emitter, Liquid, filters as liquidFilters, type Template } from 'liquidjs'
import { type Bounds, checkSize, MAX_LIST_ENTRIES, TemplateLimitExceeded } from './bounds.ts'
import { DjangoParser } from './django/parser.ts'
import { toText as djangoText } from './django/values.ts'
import { BoundedEmitter } from './emitter.ts'
import { EXCLUDED_FILTERS } from './excluded-filters.ts'
import { describeMissingTemplate, findTemplate } from './files.ts'
import type { FilterHandler } from './filters/filter.ts'
import { createFilters, type FilterEnvironment } from './filters/index.ts'
import type { Language } from './language.ts'
import { escapeHtml, escapeOutput, SafeHtml, toText } from './output.ts'
import { customTags } from './tags.ts'

/** Filters that process every entry of a list. */
const LIST_FILTERS = ['sort', 'sort_natural', 'map', 'sum', 'where', 'reject', 'group_by', 'has', 'find', 'find_index']

/**
 * LiquidJS configured for templates: only own properties of objects can be read, output is escaped, files are snippets and built-in files,
 * and `Bounds` limit every block. Templates in Django syntax are parsed into the same nodes (ADR 0030).
 */
export class TemplateEngine extends Liquid {
  readonly environment: FilterEnvironment
  /** Our filters by their names; tags of templates in Django syntax call them too. */
  readonly own: Readonly<Record<string, FilterHandler>>
  /** Off if the output is not HTML, and so not escaped. */
  readonly isHtml: boolean
  /** Requested files, by their language and name: each is read once per print. */
  readonly #files = new Map<string, Promise<Template[]>>()

  constructor(environment: FilterEnvironment, { isHtml = true }: { isHtml?: boolean } = {}) {
    super({
      ownPropertyOnly: true,
      strictFilters: true,
      outputEscape: isHtml ? escapeOutput : toText,
      locale: 'en-US',
    })
    this.environment = environment
    this.own = createFilters(environment)
    this.isHtml = isHtml
    for (const name of Object.keys(liquidFilters)) if (EXCLUDED_FILTERS.test(name)) this.unregisterFilter(name)
    for (const [name, filter] of Object.entries(this.own)) this.registerFilter(name, filter)
    for (const name of LIST_FILTERS) this.registerFilter(name, limitListLength(this.filters[name] as LiquidFilter))
    for (const [name, tag] of Object.entries(customTags)) this.registerTag(name, tag)
    // its content would not be counted among the tags of a template
    delete this.tags.liquid
    limitBlocks(this)
  }

  /** Reads a file that a template extends or includes, in the file's own language, otherwise in that of the template. */
  file(path: string, language: Language): Promise<Template[]> {
    const key = `${language} ${path}`
    const cachedFile = this.#files.get(key) ?? this.#read(path, language)
    this.#files.set(key, cachedFile)
    return cachedFile
  }

  async #read(path: string, language: Language): Promise<Template[]> {
    const templateSource = await findTemplate(this.environment.library, path, language)
    if (!templateSource) throw new Error(describeMissingTemplate(path))
    checkSize(templateSource.text)
    return templateSource.language === 'django'
      ? new DjangoParser(this, templateSource.text).parseRest()
      : this.parse(templateSource.text)
  }

  override *_parsePartialFile(path: string): Generator<unknown, Template[], Template[]> {
    return yield this.file(path, 'liquid')
  }

  override *_parseLayoutFile(path: string): Generator<unknown, Template[], Template[]> {
    return yield this.file(path, 'liquid')
  }

  /** Returns the output text of `{{ }}` in a template in Django syntax. */
  formatValue(value: unknown, isEscaping: boolean): string {
    const text = djangoText(value)
    return !isEscaping || value instanceof SafeHtml ? text : escapeHtml(text)
  }
}

/** Counts depth, time and output in `renderTemplates`, which renders every block, loop iteration and included file. */
function limitBlocks({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = function* (templates: Template[], context: Context, emitter?: Emitter) {
    const bounds = context.renderLimit as unknown as Bounds
    const countingEmitter = emitter ? toCountingEmitter(emitter, bounds) : new BoundedEmitter(bounds)
    bounds.enter()
    yield* pause(bounds)
    for (const template of templates) {
      yield* render([template], context, countingEmitter) as Generator<unknown, unknown>
      if (context.breakCalled || context.continueCalled) break
      yield* pause(bounds)
    }
    bounds.leave()
    return countingEmitter.buffer
  }
}

/** Wraps emitters that LiquidJS creates itself, for the content of a block of the extended template, so that they count. */
function toCountingEmitter(emitter: Emitter & { buffer?: unknown }, bounds: Bounds): Emitter & { buffer?: unknown } {
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
    const text = toText(value)
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
      throw new TemplateLimitExceeded(`A list of more than ${MAX_LIST_ENTRIES} entries is too long for this filter.`)
    return filter.call(this, list, ...args)
  }
