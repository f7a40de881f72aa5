import { Context, type Liquid, LiquidError, type Template, toPromise } from 'liquidjs'
import { parseJson } from '../../kit/values/json.ts'
import { getKindContext } from '../context/kinds.ts'
import { type ObjectQuery, ObjectReader, type OwnedObject, type TemplateObject } from '../context/objects.ts'
import { type Item, parseItem } from '../item.ts'
import { isLabel } from '../kinds.ts'
import { TemplateError } from '../rendering.ts'
import { Bounds, TemplateLimitExceeded } from '../template/bounds.ts'
import { parseTemplate, toProblem } from '../template/compile.ts'
import { TemplateEngine } from '../template/engine.ts'
import type { FilterEnvironment } from '../template/filters/index.ts'
import type { DataRequest, DataResponse, PrintJob, Results } from './messages.ts'

/** Maximum elements of one label: Chromium takes longer for each of them the more there are, and seconds for this many. */
const MAX_ELEMENTS = 5_000

/** Replaces an item that cannot be rendered. */
const ERROR_ITEM: Item = { styles: [], attributes: ' style="background: red"', body: '' }

/** Requests data from the service; resolves to the response and the texts that follow it in the frame. */
export type RequestData = (question: DataRequest) => Promise<DataResponse & { texts: readonly string[] }>

/** Renders a template for some objects. @throws TemplateError, and errors of the data requests */
export async function renderJob(
  job: PrintJob,
  texts: readonly string[],
  requestData: RequestData,
): Promise<{ result: Results['print']; texts: string[] }> {
  const { kind, source, items, template } = job
  const environment = createEnvironment(job, requestData)
  const engine = new TemplateEngine(environment)
  const { templates, language } = parsePrintable(engine, source)
  const read = async (query: ObjectQuery): Promise<OwnedObject[]> => {
    const { owners = [], texts } = await requestData({ type: 'request', what: 'objects', ...query })
    return toOwnedObjects(owners, texts)
  }
  const objects = new ObjectReader(read, new Set(job.viewable))
  const cached = objects.indexRows(job.objects, toOwnedObjects(job.owners, texts))
  const printed = items === 'sample' ? [getKindContext(kind).sample(kind)] : items.map((key) => cached.get(key) as TemplateObject)
  const common = commonVariables(job, objects, environment.library)
  const extra = new Map(job.extra)
  const bounds = new Bounds(job.milliseconds)
  const buildScope = (object: TemplateObject) =>
    mergeScope(
      extra.get(items === 'sample' ? 'sample' : object.pk) ?? {},
      common,
      getKindContext(kind).variables(object, job.baseUrl, template),
    )
  // a merged document has the variables of all objects, and those of the first under their own names
  const scopes = template.merge
    ? [mergeScope(...printed.slice(0, 1).map(buildScope), { instances: printed.map(buildScope) })]
    : undefined
  const render = async (liquid: Liquid, parsed: Template[], index: number) =>
    renderOne(liquid, parsed, scopes?.[index] ?? buildScope(printed[index] as TemplateObject), bounds)
  const documentCount = scopes?.length ?? printed.length

  const renderedItems: Item[] = []
  const errors: TemplateError[] = []
  for (let index = 0; index < documentCount; index++) {
    try {
      renderedItems.push(wrapItem(parseItem(await render(engine, templates, index)), job))
    } catch (error) {
      if (!job.marksFaults || !(error instanceof TemplateError)) throw error
      errors.push(error)
      renderedItems.push(ERROR_ITEM)
    }
  }
  if (errors.length === documentCount && errors[0]) throw errors[0]
  const { filename_pattern } = template
  return {
    result: {
      styles: renderedItems.map(({ styles }) => styles.length),
      isMoved: language === 'django',
      filename: filename_pattern ? await renderFilename(filename_pattern, documentCount - 1) : undefined,
      filenames: await renderFilenames(),
      shown: [...environment.fileUrls],
    },
    texts: renderedItems.flatMap(({ styles, attributes, body }) => [...styles, attributes, body]),
  }

  /** Renders the file name pattern with the variables of an item; the name of a whole print is that of the last one. */
  async function renderFilename(pattern: string, index: number): Promise<string> {
    const textEngine = new TemplateEngine(environment, { isHtml: false })
    return toFileName(await render(textEngine, parsePrintable(textEngine, pattern).templates, index))
  }

  async function renderFilenames(): Promise<string[] | undefined> {
    if (!template.attach_to_model || !filename_pattern) return undefined
    const names: string[] = []
    for (let index = 0; index < documentCount; index++) names.push(await renderFilename(filename_pattern, index))
    return names
  }
}

const toOwnedObjects = (owners: readonly number[], texts: readonly string[]): OwnedObject[] =>
  owners.map((owner, index) => [owner, parseJson(texts[index] as string) as TemplateObject])

/** Lookups for templates; repeated lookups are read once. */
function createEnvironment({ settings, instance }: PrintJob, requestData: RequestData): FilterEnvironment {
  const texts = new Map<string, Promise<string | undefined>>()
  const findText = (what: 'snippet' | 'asset') => (name: string) => {
    const key = `${what} ${name}`
    const cached = texts.get(key) ?? requestData({ type: 'request', what, name }).then((response) => response.text)
    texts.set(key, cached)
    return cached
  }
  let logo: Promise<string | undefined> | undefined
  let rates: ReturnType<NonNullable<FilterEnvironment['rates']>> | undefined
  return {
    settings: { get: (key) => (Object.hasOwn(settings, key) ? settings[key] : undefined) },
    library: {
      snippet: findText('snippet'),
      asset: findText('asset'),
      logo() {
        logo ??= requestData({ type: 'request', what: 'logo' }).then((response) => response.text)
        return logo
      },
    },
    fileUrls: new Set(),
    instance,
    rates: () => {
      rates ??= requestData({ type: 'request', what: 'rates' }).then((response) => new Map(response.rates))
      return rates
    },
  }
}

/** Parses a template to print. @throws TemplateError if it uses something missing */
function parsePrintable(engine: TemplateEngine, source: string) {
  const read = parseTemplate(engine, source)
  if (read.error) throw new TemplateError(read.error.message, read.error)
  const { problems } = read
  if (problems[0]) throw new TemplateError(problems.map(({ message }) => message).join(' '), problems[0])
  return read
}

/** Variables of every template, whatever it prints. */
export function commonVariables(
  { kind, template, baseUrl, time, settings }: Pick<PrintJob, 'kind' | 'template' | 'baseUrl' | 'time' | 'settings'>,
  objects: Pick<ObjectReader, 'account'>,
  library: Pick<FilterEnvironment['library'], 'logo'>,
): Record<string, unknown> {
  const { name, description = '', revision = 1, width, height, page_size = 'A4', landscape = false } = template
  const metadata = { name, description, revision, width, height, page_size, landscape }
  const kindVariables = isLabel(kind)
    ? { label_template: metadata, width, height, page_style: `@page { size: ${width}mm ${height}mm; margin: 0mm }` }
    : {
        report_template: metadata,
        report_name: name,
        report_description: description,
        report_revision: revision,
        page_size: landscape ? `${page_size} landscape` : page_size,
      }
  let account: Promise<TemplateObject | undefined> | undefined
  return {
    base_url: baseUrl,
    date: time.slice(0, 10),
    datetime: time,
    get user() {
      account ??= objects.account()
      return account
    },
    get logo() {
      return library.logo()
    },
    sender: readSender(settings),
    language: settings.DOCUMENT_LANGUAGE,
    ...kindVariables,
  }
}

/** The company that sends documents. */
function readSender(settings: PrintJob['settings']): Record<string, unknown> {
  const lines = (text: unknown) =>
    String(text ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  return {
    name: settings.INVENTREE_COMPANY_NAME,
    address: lines(settings.DOCUMENT_ADDRESS),
    contact: lines(settings.DOCUMENT_CONTACT),
    tax_id: settings.DOCUMENT_TAX_ID,
    footer: lines(settings.DOCUMENT_FOOTER),
  }
}

/** Merges the variables of one item; a later group overrides an earlier one. */
function mergeScope(...groups: Record<string, unknown>[]): Record<string, unknown> {
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
    throw toRenderError(error as Error)
  }
}

/** Turns a rendering error into the template's own error. */
function toRenderError(error: Error): Error {
  let cause = error
  while (LiquidError.is(cause) && cause.originalError) cause = cause.originalError
  const { message, ...position } = toProblem(error)
  if (cause instanceof TemplateLimitExceeded || cause instanceof TemplateError) return new TemplateError(cause.message, position)
  const isOurs = cause instanceof TypeError || cause instanceof RangeError
  return new TemplateError(isOurs ? 'This cannot be evaluated.' : message, position)
}

const ELEMENT = /<[a-z]/gi

/** @throws TemplateError for a label with too many elements */
function wrapItem(item: Item, { kind }: PrintJob): Item {
  if (!isLabel(kind)) return item
  let count = 0
  for (const _ of item.body.matchAll(ELEMENT))
    if (++count > MAX_ELEMENTS) throw new TemplateError(`A label can have at most ${MAX_ELEMENTS} elements.`)
  return item
}

/** Turns a string into a file name that is valid on every system. */
const toFileName = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  const name = text.replaceAll(/[\u0000-\u001f\u007f"*/:<>?\\|]+/g, '_').trim()
  return name.replace(/^\.+/, '').slice(0, 100)
}
