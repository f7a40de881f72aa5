import { Type } from 'typebox'
import { Bytes, type Endpoint, procedure, type Request } from '../../kit/definition/action.ts'
import { buildFileUrl } from '../../kit/definition/file.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { type Resource, responseSchema } from '../../kit/definition/resource.ts'
import { formatDisposition } from '../../kit/http/media.ts'
import { pluralize, toNoun } from '../../kit/http/nouns.ts'
import { Problem } from '../../kit/request/problem.ts'
import { queryThrough } from '../../kit/sql/run-query.ts'
import type { ReportKind } from '../../printing/kinds.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { Warning } from '../../printing/rendering.ts'
import { setting } from '../../settings/live.ts'
import { userSettings } from '../../settings/registry.ts'
import { snapshot, userStore } from '../../settings/store.ts'
import { ASYNC_RESPONSE, printByJob, printJobSchema, printWarnings, requiresPrintJob } from '../print-job/print-job.ts'
import { noSteps, type PrintOutcome, type PrintSteps } from '../print-job/steps.ts'
import { itemParameters } from '../printing/item-keys.ts'
import { readTemplateObject } from '../printing/plugin-variables.ts'
import { buildFileName, getWarnings, render, toHtml, toPdf, toPdfOfItem, warningHeaders } from '../printing/print-document.ts'
import { type PrintRequest, readPrintRequest, type TemplateClass } from '../printing/print-request.ts'
import { storePrintedFile } from '../printing/printed-files.ts'
import { getSubject } from '../printing/subjects.ts'
import { prepareAttachments } from './attach-report.ts'

/** Template output is served from our origin, but is not trusted: in a browser it runs, loads and sends nothing. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; font-src data:; sandbox"

/** GET of `/api/report/<kind>/{id}/print/`. */
export function printReports(kind: ReportKind, templates: Resource): Endpoint {
  const subject = getSubject(kind)
  return procedure({
    method: 'GET',
    path: `${templates.path}{id}/print/`,
    summary: `Print ${pluralize(toNoun(templates.name))}`,
    description: [
      `Prints a report for each named ${subject.object}, in the given order, as one PDF; without any, one with sample data.`,
      'The response is the template with `file`, the URL of the PDF, which is stored for some days (PRINTED_FILE_DAYS), for the caller and',
      'for staff. With `format=pdf` or `Accept: application/pdf` it is the PDF itself, and nothing is stored.',
      ASYNC_RESPONSE,
      'While REPORT_DEBUG_MODE is on, it is HTML instead of a PDF. Requires permission to view the printed objects.',
    ].join(' '),
    errors: {
      invalid: 'An object does not exist, or the template is disabled, does not apply to it or cannot be rendered.',
      not_found: 'The template does not exist.',
      unavailable: 'Printing is unavailable on this machine, or its queue is full.',
    },
    access: subject.access,
    files: ['application/pdf'],
    unsafe: true,
    query: {
      ...itemParameters(subject, `The key of a ${subject.object} to print. Several are separated by commas, or repeated.`),
      format: '`pdf` for the PDF itself.',
    },
    asyncResponse: printJobSchema,
    response: Type.Object({
      ...responseSchema(templates).properties,
      file: Type.String({ description: 'The URL of the printed file.' }),
      warnings: Type.Optional(printWarnings),
    }),
    example: templates.example && { params: { id: templates.example.pk } },
    handle: (request) => handlePrint(request, kind, templates),
  })
}

async function handlePrint(request: Request<Shape>, kind: ReportKind, templates: Resource): Promise<unknown> {
  const readRequest = () => readPrintRequest(request, { kind, templates, file: 'template' })
  const toResponse = async (file: string, printRequest: PrintRequest, warnings: readonly Warning[]) => ({
    ...(await readTemplateObject(request, printRequest)),
    file: buildFileUrl(request, file),
    ...(warnings.length > 0 && { warnings }),
  })
  if (requiresPrintJob(request))
    return printByJob(request, kind, readRequest, async ({ file, message, warnings }) => {
      if (file === null) throw new Problem('internal')
      return prefersDocument(request)
        ? sendStored(request, file, message ?? file, warnings)
        : toResponse(file, await readRequest(), warnings)
    })
  const printRequest = await readRequest()
  const document = await renderReport(request, printRequest)
  if (!prefersDocument(request))
    return toResponse(await storeReport(request, printRequest, document, noSteps), printRequest, document.warnings)
  const attach = await prepareAttachments(request, printRequest, document)
  if (attach) await request.database.transaction(attach)
  return sendDocument(request, document)
}

/** Prints reports for a request, and reports the progress. @throws Problem */
export async function runReportPrint(
  request: Request<Shape>,
  templateClass: TemplateClass,
  steps: PrintSteps,
): Promise<PrintOutcome> {
  const printRequest = await readPrintRequest(request, templateClass)
  const count = printRequest.items === 'sample' ? 1 : printRequest.items.length
  await steps.reportProgress(0, count)
  const document = await renderReport(request, printRequest, (documents) => steps.reportProgress(documents, count))
  await steps.reportProgress(count, count)
  return { file: await storeReport(request, printRequest, document, steps), warnings: document.warnings }
}

async function storeReport(
  request: Request<Shape>,
  printRequest: PrintRequest,
  document: Document,
  steps: PrintSteps,
): Promise<string> {
  if (request.disk.isLow) throw new Problem('insufficient_storage')
  const { name, bytes, warnings } = document
  const attach = await prepareAttachments(request, printRequest, document)
  return storePrintedFile(request, request.caller, { kind: printRequest.kind, name, bytes }, async (tx, file) => {
    await steps.complete(tx, { file, message: name, warnings })
    await attach?.(tx)
  })
}

/** Sends a stored document. @throws Problem 404 after its deletion */
async function sendStored(request: Request<Shape>, file: string, name: string, warnings: readonly Warning[]): Promise<Bytes> {
  if (!(await request.files.find(file))) throw new Problem('not_found', printErrors.printed_file_gone)
  const type = name.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/pdf'
  return sendDocument(request, { name, type, bytes: await request.files.bytes(file), warnings })
}

type Document = {
  name: string
  type: string
  bytes: Buffer
  warnings: readonly Warning[]
  /** Prints the document of one object. */
  printAlone: (index: number) => Promise<{ name: string; bytes: Buffer }>
}

async function renderReport(
  request: Request<Shape>,
  printRequest: PrintRequest,
  onProgress?: (documents: number) => Promise<void>,
): Promise<Document> {
  const rendered = await render(request, printRequest)
  const printAlone = async (index: number) => ({
    name: buildFileName({ filename: rendered.filenames?.[index] }, 'report', 'pdf'),
    bytes: await toPdfOfItem(request, rendered, index),
  })
  if (setting(request, 'REPORT_DEBUG_MODE'))
    return {
      name: buildFileName(rendered, 'report', 'html'),
      type: 'text/html; charset=utf-8',
      bytes: toHtml(rendered),
      warnings: [],
      printAlone,
    }
  const bytes = await toPdf(request, rendered, onProgress)
  return {
    name: buildFileName(rendered, 'report', 'pdf'),
    type: 'application/pdf',
    bytes,
    warnings: getWarnings(rendered),
    printAlone,
  }
}

/** Whether to send the document itself: existing clients expect it, others request it. */
function prefersDocument({ config, query, exchange }: Request<Shape>): boolean {
  const accepted = exchange.header('accept') ?? ''
  return config.wire.printsDocument || query.format?.toLowerCase() === 'pdf' || /\bapplication\/pdf\b/i.test(accepted)
}

async function sendDocument(
  request: Request<Shape>,
  { name, type, bytes, warnings }: Omit<Document, 'printAlone'>,
): Promise<Bytes> {
  const isHtml = type.startsWith('text/html')
  if (isHtml) return new Bytes(type, bytes, { 'content-security-policy': CONTENT_SECURITY_POLICY })
  return new Bytes(type, bytes, {
    'content-disposition': formatDisposition((await isInline(request)) ? 'inline' : 'attachment', name),
    ...warningHeaders(warnings),
  })
}

/** Whether the account prefers to view reports in the browser. */
async function isInline({ database, caller }: Request<Shape>): Promise<boolean> {
  const row = await userStore(queryThrough({ database }), caller.pk).row('REPORT_INLINE')
  return snapshot<{ REPORT_INLINE: boolean }>({ REPORT_INLINE: userSettings.REPORT_INLINE }, [row]).get('REPORT_INLINE')
}
