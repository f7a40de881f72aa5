import { requireAccess } from '../../kit/request/caller.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { documentOf, together } from '../../printing/document.ts'
import type { Item } from '../../printing/item.ts'
import { isLabel } from '../../printing/kinds.ts'
import { PAGE_SIZES } from '../../printing/page-sizes.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { Print, Rendered } from '../../printing/rendering.ts'
import { documentFiles } from '../../printing/resource.ts'
import { RENDER_TIME } from '../../printing/template/bounds.ts'
import { timeShare } from '../../printing/time-share.ts'
import type { PrintJob } from '../../printing/worker/messages.ts'
import { runJob } from '../../printing/worker/pool.ts'
import { instanceName } from '../../settings/instance-name.ts'
import { PrintReader } from './data-requests.ts'
import { type Model, models } from './models.ts'
import { subjectOf } from './subjects.ts'
import { buildTemplateSchema } from './template-schema.ts'

/** Labels in one document: Chromium takes longer for each picture the more of them there are (ADR 0022). */
const MAX_LABELS_PER_DOCUMENT = 100

/**
 * Renders a template for some objects as HTML. The number of statements that it reads with depends on the template alone.
 * @throws TemplateError if the template cannot be printed; Problem if the objects cannot: 403 without the right to view them, 400 if one
 *   does not exist; 503 if too much else is being printed
 */
export async function renderItems(print: Print): Promise<Rendered> {
  const { kind, library } = print
  const { caller, services } = print.reader
  const printReader = new PrintReader(print)
  const { result, texts } = await runJob(caller?.pk, buildTemplateSchema, async () => ({
    ...(await jobOf(print, printReader)),
    milliseconds: millisecondsOf(print),
    answer: printReader.respond,
    log: services.log,
  }))
  const { isMoved, filename, shown: fileUrls } = result
  const items = itemsOf(result.styles, texts)
  const page = pageOf(print)
  const document = (some: Item[]) => documentOf(some, { ...page, isLabel: isLabel(kind), isMoved })
  return {
    count: items.length,
    document: (at) => document(items.slice(at, at + 1)),
    documents: () => together(items, isLabel(kind) ? MAX_LABELS_PER_DOCUMENT : isMoved ? 1 : undefined).map(document),
    page,
    filename,
    share: (some) => timeShare(kind, some),
    resource: documentFiles(new Set(fileUrls), library, caller?.pk),
  }
}

/** Builds the job for a worker, with the printed objects, which it could not request without a right to view them. */
async function jobOf(print: Print, printReader: PrintReader): Promise<{ job: PrintJob; texts: string[] }> {
  const { kind, source, template, items, reader, baseUrl, extra, marksFaults = false } = print
  const { settings, config } = reader.services
  const { owners, texts } = await printedObjects(print, printReader)
  const some = items === 'sample' ? [items] : [...new Set(items)]
  const job: PrintJob = {
    ...{ type: 'print', kind, source, template, items, baseUrl, marksFaults, owners },
    objects: subjectOf(kind).objects.path,
    viewable: printReader.viewable,
    settings: Object.fromEntries(buildTemplateSchema().settings.open.map((key) => [key, settings.get(key)])),
    instance: instanceName({ settings, config }),
    extra: extra ? some.map((item) => [item, extra(item)]) : [],
    milliseconds: millisecondsOf(print),
  }
  return { job, texts }
}

const millisecondsOf = ({ kind, items, milliseconds }: Print): number =>
  milliseconds ?? RENDER_TIME * timeShare(kind, items === 'sample' ? 1 : items.length)

/** Reads the printed objects, each once. */
async function printedObjects(
  { kind, items, reader }: Print,
  printReader: PrintReader,
): Promise<{ owners: number[]; texts: string[] }> {
  const model = models.get(subjectOf(kind).objects.path) as Model
  if (items === 'sample') return { owners: [], texts: [] }
  requireAccess(model.resource.access, reader.caller, 'view')
  const objectTexts = await printReader.objects(model, [...new Set(items)])
  const there = new Set(objectTexts.owners)
  const missing = items.find((key) => !there.has(key))
  if (missing !== undefined) throw invalidObject(printErrors.printed_object_unknown({ kind: model.resource.name, pk: missing }))
  return objectTexts
}

/** Reassembles the items: the styles, attributes and body of each follow each other. */
function itemsOf(styles: readonly number[], texts: readonly string[]): Item[] {
  let at = 0
  return styles.map((count) => {
    const [attributes = '', body = ''] = texts.slice(at + count, at + count + 2)
    const item = { styles: texts.slice(at, at + count), attributes, body }
    at += count + 2
    return item
  })
}

function pageOf({ kind, template }: Print): { width: number; height: number } {
  if (isLabel(kind)) return { width: template.width ?? 50, height: template.height ?? 20 }
  const { width, height } = PAGE_SIZES[template.page_size ?? 'A4']
  return template.landscape ? { width: height, height: width } : { width, height }
}
