import { requireAccess } from '../../kit/request/caller.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { groupByStyles, renderDocument } from '../../printing/document.ts'
import type { Item } from '../../printing/item.ts'
import { isLabel } from '../../printing/kinds.ts'
import { PAGE_SIZES } from '../../printing/page-sizes.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { Print, RenderedPrint } from '../../printing/rendering.ts'
import { createFileReader } from '../../printing/resource.ts'
import { RENDER_TIMEOUT_MS } from '../../printing/template/bounds.ts'
import { getTimeShare } from '../../printing/time-share.ts'
import type { PrintJob } from '../../printing/worker/messages.ts'
import { runJob } from '../../printing/worker/pool.ts'
import { instanceName } from '../../settings/instance-name.ts'
import { PrintReader } from './data-requests.ts'
import { type Model, models } from './models.ts'
import { getSubject } from './subjects.ts'
import { buildTemplateSchema } from './template-schema.ts'

/** Maximum number of labels in one document: Chromium takes longer for each picture the more of them there are (ADR 0022). */
const MAX_LABELS_PER_DOCUMENT = 100

/**
 * Renders a template for some objects as HTML. The number of SQL statements depends on the template alone.
 * @throws TemplateError if the template cannot be printed; Problem if the objects cannot: 403 without the permission to view them, 400 if one
 *   does not exist; 503 if too much else is being printed
 */
export async function renderItems(print: Print): Promise<RenderedPrint> {
  const { kind, library } = print
  const { caller, services } = print.reader
  const printReader = new PrintReader(print)
  const { result, texts } = await runJob(
    caller?.pk,
    buildTemplateSchema,
    async () => ({
      ...(await buildJob(print, printReader)),
      milliseconds: getTimeLimitMs(print),
      answer: printReader.respond,
      log: services.log,
    }),
    print.signal,
  )
  const { isMoved: isFromInvenTree, filename, filenames, shown: fileUrls } = result
  const items = toItems(result.styles, texts)
  const page = getPageSize(print)
  const document = (printedItems: Item[]) => renderDocument(printedItems, { ...page, isLabel: isLabel(kind), isFromInvenTree })
  return {
    count: items.length,
    document: (position) => document(items.slice(position, position + 1)),
    documents: () =>
      groupByStyles(items, isLabel(kind) ? MAX_LABELS_PER_DOCUMENT : isFromInvenTree ? 1 : undefined).map(document),
    page,
    filename,
    filenames,
    share: (count) => getTimeShare(kind, count),
    signal: print.signal,
    resource: createFileReader(new Set(fileUrls), library, caller?.pk),
  }
}

/** Builds the job for a worker, with the printed objects, which it could not request without a permission to view them. */
async function buildJob(print: Print, printReader: PrintReader): Promise<{ job: PrintJob; texts: string[] }> {
  const { kind, source, template, items, reader, baseUrl, extra, marksFaults = false } = print
  const { settings, config } = reader.services
  const { owners, texts } = await readPrintedObjects(print, printReader)
  const printedItems = items === 'sample' ? [items] : [...new Set(items)]
  const job: PrintJob = {
    ...{ type: 'print', kind, source, template, items, baseUrl, marksFaults, owners, time: new Date().toISOString() },
    objects: getSubject(kind).objects.path,
    viewable: printReader.viewable,
    settings: Object.fromEntries(buildTemplateSchema().settings.open.map((key) => [key, settings.get(key)])),
    instance: instanceName({ settings, config }),
    extra: extra ? printedItems.map((item) => [item, extra(item)]) : [],
    milliseconds: getTimeLimitMs(print),
  }
  return { job, texts }
}

const getTimeLimitMs = ({ kind, items, milliseconds }: Print): number =>
  milliseconds ?? RENDER_TIMEOUT_MS * getTimeShare(kind, items === 'sample' ? 1 : items.length)

/** Reads the printed objects, each once. */
async function readPrintedObjects(
  { kind, items, reader }: Print,
  printReader: PrintReader,
): Promise<{ owners: number[]; texts: string[] }> {
  const model = models.get(getSubject(kind).objects.path) as Model
  if (items === 'sample') return { owners: [], texts: [] }
  requireAccess(model.resource.access, reader.caller, 'view')
  const objectTexts = await printReader.objects(model, [...new Set(items)])
  const foundKeys = new Set(objectTexts.owners)
  const missing = items.find((key) => !foundKeys.has(key))
  if (missing !== undefined) throw invalidObject(printErrors.printed_object_unknown({ kind: model.resource.name, pk: missing }))
  return objectTexts
}

/** Reassembles the items: the styles, attributes and body of each follow each other. */
function toItems(styles: readonly number[], texts: readonly string[]): Item[] {
  let position = 0
  return styles.map((count) => {
    const [attributes = '', body = ''] = texts.slice(position + count, position + count + 2)
    const item = { styles: texts.slice(position, position + count), attributes, body }
    position += count + 2
    return item
  })
}

function getPageSize({ kind, template }: Print): { width: number; height: number } {
  if (isLabel(kind)) return { width: template.width ?? 50, height: template.height ?? 20 }
  const { width, height } = PAGE_SIZES[template.page_size ?? 'A4']
  return template.landscape ? { width: height, height: width } : { width, height }
}
