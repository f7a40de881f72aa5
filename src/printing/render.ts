import { Context, type Liquid, LiquidError, type Template, toPromise } from 'liquidjs'
import { requireAccess } from '../kit/request/caller.ts'
import { invalidObject, Problem } from '../kit/request/problem.ts'
import { Semaphore } from '../kit/services/semaphore.ts'
import { readThrough } from '../kit/sql/run-query.ts'
import type { ExchangeRates } from '../resources/currency/exchange-rates.ts'
import { readRates } from '../resources/currency/rates.ts'
import { instanceName } from '../resources/settings/instance-name.ts'
import { ownAccount } from '../resources/user/me/own-account.ts'
import { kindContexts } from './context/kinds.ts'
import { models } from './context/models.ts'
import { ObjectReader, type TemplateObject } from './context/objects.ts'
import { documentOf, type Item, itemOf, together } from './document.ts'
import { isLabel } from './kinds.ts'
import { PAGE_SIZES } from './page-sizes.ts'
import { type Print, type Rendered, TemplateError } from './rendering.ts'
import { documentFiles } from './resource.ts'
import { BoundExceeded, Bounds, RENDER_TIME } from './template/bounds.ts'
import { faultOf, readTemplate } from './template/compile.ts'
import { TemplateEngine } from './template/engine.ts'

/** How many prints are filled in at once: whatever their templates do, they leave time for all other requests. */
const AT_ONCE = 2
/** Milliseconds that one waits for its turn, and how many may wait. */
const PATIENCE = 30_000
const LONGEST_LINE = 100
/** Labels in one document: Chromium takes longer for each picture the more of them it has (ADR 0022). */
const MOST_LABELS = 100

/** What stands in the place of an item that cannot be filled in. */
const FAULT: Item = { styles: [], attributes: ' style="background: red"', body: '' }

const turns = new Semaphore(AT_ONCE, PATIENCE, 'Too much is being printed at this moment; try again.', LONGEST_LINE)

/**
 * Prints a template for some objects, as HTML. What it reads of them takes a number of statements that depends on the template alone.
 * @throws TemplateError if the template cannot be printed; Problem if the objects cannot: 403 without the right to view them, 400 if
 * one does not exist; 503 if too much else is being printed
 */
export const renderItems = (print: Print): Promise<Rendered> => turns.run(() => fillIn(print))

async function fillIn(print: Print): Promise<Rendered> {
  const { kind, source, reader, library, extra } = print
  const { settings, config } = reader.services
  const surroundings = {
    settings,
    library,
    shown: new Set<string>(),
    instance: instanceName({ settings, config }),
    rates: ratesOf(reader),
  }
  const engine = new TemplateEngine(surroundings)
  const { templates, language } = printable(engine, source)
  const objects = new ObjectReader(reader, models)
  const printed = await printedObjects(print, objects)
  const common = commonVariables(print, objects)
  const bounds = new Bounds(print.milliseconds ?? RENDER_TIME)
  const render = async (from: Liquid, parsed: Template[], at: number) => {
    const object = printed[at] as TemplateObject
    const variables = kindContexts[kind].variables(object, print.baseUrl, print.template)
    const scope = scopeOf(extra?.(print.items === 'sample' ? 'sample' : object.pk) ?? {}, common, variables)
    return renderOne(from, parsed, scope, bounds)
  }

  const items: Item[] = []
  const faults: TemplateError[] = []
  for (const at of printed.keys()) {
    try {
      items.push(itemOf(await render(engine, templates, at)))
    } catch (error) {
      if (!print.marksFaults || !(error instanceof TemplateError)) throw error
      faults.push(error)
      items.push(FAULT)
    }
  }
  if (faults.length === printed.length && faults[0]) throw faults[0]
  const { filename_pattern } = print.template
  const page = pageOf(print)
  const document = (some: Item[]) => documentOf(some, { ...page, isLabel: isLabel(kind), isMoved: language === 'django' })
  return {
    count: items.length,
    document: (at) => document(items.slice(at, at + 1)),
    documents: () => together(items, isLabel(kind) ? MOST_LABELS : language === 'django' ? 1 : undefined).map(document),
    page,
    filename: filename_pattern ? fileName(await filled(filename_pattern)) : undefined,
    resource: documentFiles(surroundings.shown, library),
  }

  /** The pattern of a file's name, filled with the variables of the last item. */
  async function filled(pattern: string): Promise<string> {
    const plain = new TemplateEngine(surroundings, { isHtml: false })
    return render(plain, printable(plain, pattern).templates, printed.length - 1)
  }
}

/** Reads a template that is printed. @throws TemplateError if it asks for what there is not */
function printable(engine: TemplateEngine, source: string) {
  const read = readTemplate(engine, source)
  if (read.error) throw new TemplateError(read.error.message, read.error)
  const { problems } = read
  if (problems[0]) throw new TemplateError(problems.map(({ message }) => message).join(' '), problems[0])
  return read
}

/** The exchange rates, read when a template first asks for them. */
function ratesOf({ services }: Print['reader']): () => Promise<ExchangeRates> {
  let rates: Promise<ExchangeRates> | undefined
  return () => {
    rates ??= readRates({ query: readThrough(services) })
    return rates
  }
}

/** What is printed, in the order of the pages. */
async function printedObjects({ kind, items, reader }: Print, objects: ObjectReader): Promise<TemplateObject[]> {
  const { model, sample } = kindContexts[kind]
  if (items === 'sample') return [sample()]
  requireAccess(model.resource.access, reader.caller, 'view')
  const found = await objects.objects(model, [...new Set(items)])
  return items.map((key) => {
    const object = found.get(key)
    if (!object) throw invalidObject(`${model.resource.name} ${key} does not exist.`)
    return object
  })
}

/** What every template has, whatever it is about (the reference description of labels and reports, section 11). */
function commonVariables(print: Print, objects: ObjectReader): Record<string, unknown> {
  const { kind, template, baseUrl } = print
  const { name, description = '', revision = 1, width, height, page_size = 'A4', landscape = false } = template
  const now = new Date().toISOString()
  const told = { name, description, revision, width, height, page_size, landscape }
  const own = isLabel(kind)
    ? { label_template: told, width, height, page_style: `@page { size: ${width}mm ${height}mm; margin: 0mm }` }
    : {
        report_template: told,
        report_name: name,
        report_description: description,
        report_revision: revision,
        page_size: landscape ? `${page_size} landscape` : page_size,
      }
  return {
    base_url: baseUrl,
    date: now.slice(0, 10),
    datetime: now,
    get user() {
      const { caller } = print.reader
      return caller && objects.objects({ resource: ownAccount }, [caller.pk]).then((found) => found.get(caller.pk))
    },
    ...own,
  }
}

/** The variables of one item; a later group hides what an earlier one has under the same name. */
function scopeOf(...groups: Record<string, unknown>[]): Record<string, unknown> {
  const scope = Object.create(null)
  for (const group of groups) Object.defineProperties(scope, Object.getOwnPropertyDescriptors(group))
  return scope
}

async function renderOne(engine: Liquid, templates: Template[], scope: object, bounds: Bounds): Promise<string> {
  bounds.nextItem()
  const limits = { renderLimit: bounds as never, memoryLimit: bounds as never, liquid: engine }
  const context = new Context(scope, engine.options, {}, limits)
  try {
    return (await toPromise(engine.renderer.renderTemplates(templates, context))) as string
  } catch (error) {
    throw renderFault(error as Error)
  }
}

/** What went wrong while a template was rendered: its own fault, unless it is a refusal, or the database's. */
function renderFault(error: Error): Error {
  let cause = error
  while (LiquidError.is(cause) && cause.originalError) cause = cause.originalError
  if (cause instanceof Problem || 'severity' in cause) return cause
  const { message, ...place } = faultOf(error)
  if (cause instanceof BoundExceeded || cause instanceof TemplateError) return new TemplateError(cause.message, place)
  const isOurs = cause instanceof TypeError || cause instanceof RangeError
  return new TemplateError(isOurs ? 'What stands here cannot be done.' : message, place)
}

function pageOf({ kind, template }: Print): { width: number; height: number } {
  if (isLabel(kind)) return { width: template.width ?? 50, height: template.height ?? 20 }
  const { width, height } = PAGE_SIZES[template.page_size ?? 'A4']
  return template.landscape ? { width: height, height: width } : { width, height }
}

/** A name that is one on every system. */
const fileName = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const name = text.replaceAll(/[\u0000-\u001f\u007f"*/:<>?\\|]+/g, '_').trim()
  return name.replace(/^\.+/, '').slice(0, 100)
}
