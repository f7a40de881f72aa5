import { type Bytes, procedure, type Request } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { formatDisposition } from '../../../../kit/http/media.ts'
import { requireAccess, roles } from '../../../../kit/request/caller.ts'
import { FieldError } from '../../../../kit/request/errors.ts'
import { invalid, type Problem } from '../../../../kit/request/problem.ts'
import { valueErrors } from '../../../../kit/values/value-errors.ts'
import { isLabel, type TemplateKind } from '../../../../printing/kinds.ts'
import { findReadableKeys } from '../../../../printing/objects.ts'
import { PAGE_SIZES } from '../../../../printing/page-sizes.ts'
import { printErrors } from '../../../../printing/print-errors.ts'
import { TemplateError } from '../../../../printing/rendering.ts'
import { MAX_TEMPLATE_CHARACTERS } from '../../../../printing/template/bounds.ts'
import { toPreview } from '../../../printing/preview.ts'
import { buildFileName, renderText } from '../../../printing/print-document.ts'
import { type PrintRequest, readTemplate, type TemplateRow } from '../../../printing/print-request.ts'
import { getSubject } from '../../../printing/subjects.ts'
import { checkTemplate } from '../../../printing/template-file.ts'
import { getTemplateClass, kindInput } from '../template-kinds.ts'

/** The text of a template, character by character: HTML, with its line breaks, so that errors are at their lines. */
const source: input.Input<string> = {
  ...input.text({
    required: true,
    blank: true,
    max: MAX_TEMPLATE_CHARACTERS,
    help: 'The text of the template, which may not be saved yet.',
  }),
  read(value) {
    if (typeof value !== 'string' || !value.isWellFormed()) throw new FieldError(valueErrors.text_expected)
    if (value.length > MAX_TEMPLATE_CHARACTERS)
      throw new FieldError(valueErrors.max_length({ max_length: MAX_TEMPLATE_CHARACTERS }))
    return value
  },
}

/** A side of a label, in millimeters. */
const millimeters = (help: string) => input.decimal({ digits: 7, places: 3, min: 2, form: 'number', help })

const body = {
  kind: kindInput,
  template: input.integer({
    required: true,
    min: 1,
    help: 'The template. Fields that are not given are as saved.',
  }),
  source,
  item: input.integer({
    nullable: true,
    min: 1,
    help: 'The object to show; empty for sample data.',
  }),
  name: input.text({ max: 100, help: 'The name of the template.' }),
  description: input.text({ max: 250, nullable: true, help: 'Its description.' }),
  width: millimeters('The width of the label, in millimeters.'),
  height: millimeters('The height of the label, in millimeters.'),
  page_size: input.choice(() => Object.keys(PAGE_SIZES).map((value) => ({ value, label: value })), {
    help: 'The page size of the report.',
  }),
  landscape: input.boolean({ help: 'Whether its pages have landscape orientation.' }),
  include_installed: input.boolean({ help: 'For test reports: whether they include the items installed in the item.' }),
  filename_pattern: input.text({ max: 100, help: 'The name of the printed file; it may contain variables of the template.' }),
}

type PreviewRequest = Request<typeof body>

/** A preview of a template while it is edited. Nothing is stored. A client that closes the connection ends it. */
export const previewTemplate = procedure({
  method: 'POST',
  path: '/api/web/template/preview/',
  summary: 'Preview the text of a template',
  description:
    'Shows a text that is not saved yet as the text of a template: a label as an image (PNG, with LABEL_DPI dots per inch), a report as a PDF. It is rendered for one object, or for sample data, under the limits of printing: it loads no files but those that it names by its filters, and has the same time and memory. Nothing is stored. A client that closes the connection ends it. Requires permission to change templates of this kind, and to view the object.',
  errors: {
    invalid: 'The object does not exist, or the text cannot be rendered, with each reason and its line.',
    not_found: 'The template does not exist.',
    unavailable: 'Printing is unavailable on this machine, or its queue is full.',
  },
  example: { body: { kind: 'label/part', template: 1, source: '<b>{{ part.name }}</b>' } },
  access: roles('part', 'stock', 'stock_location', 'build', 'purchase_order', 'sales_order', 'return_order', 'admin'),
  right: 'change',
  body,
  status: 200,
  files: ['image/png', 'application/pdf'],
  async handle(request) {
    const { kind, source: text } = request.body
    const printRequest = await readRequest(request)
    try {
      const rendered = await renderText(request as never, printRequest, text, { signal: request.exchange.gone })
      const preview: Bytes = await toPreview(request as never, kind, rendered)
      const fileName = buildFileName(rendered, printRequest.template.name, 'pdf')
      preview.headers['content-disposition'] = formatDisposition('inline', fileName)
      return preview
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      throw await toLineErrors(request, error)
    }
  },
})

/** The request as a print of the template, with the values that are not saved yet. @throws Problem 403, 404, 400 */
async function readRequest(request: PreviewRequest): Promise<PrintRequest> {
  const { caller, database } = request
  const { kind, template: pk, source: _, item, ...values } = request.body
  const subject = getSubject(kind)
  requireAccess(subject.access, caller, 'change')
  for (const { access } of [subject.objects, ...(subject.shows ?? [])]) requireAccess(access, caller, 'view')
  const templateClass = getTemplateClass(kind)
  const row = await readTemplate({ database, pk }, templateClass.templates)
  if (typeof item === 'number' && !(await findReadableKeys(database, subject.objects, [item], caller)).has(item))
    throw invalid({ item: [printErrors.printed_objects_unknown({ kind: subject.object, objects: [item] })] })
  const template = { ...row, ...pickValues(kind, values) }
  return { ...templateClass, subject, template, items: typeof item === 'number' ? [item] : 'sample' }
}

/** The values that a template of this kind has. */
function pickValues(kind: TemplateKind, values: Record<string, unknown>): Partial<TemplateRow> {
  const others = isLabel(kind) ? ['page_size', 'landscape', 'include_installed'] : ['width', 'height']
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== undefined && !others.includes(name)))
}

const POSITION = / \(line (\d+), column (\d+)\)$/

/** All errors of a text with their lines: its unknown names, otherwise why it cannot be rendered. */
async function toLineErrors(request: PreviewRequest, error: TemplateError): Promise<Problem> {
  const { caller, body } = request
  const { problems } = await checkTemplate(body.source, request, caller?.pk)
  const messages = problems.length > 0 ? problems : [error.message]
  return invalid({
    source: messages.map((message) => {
      const [suffix = '', line, column] = POSITION.exec(message) ?? []
      if (line === undefined) return printErrors.template_error({ error: message })
      const text = message.slice(0, message.length - suffix.length)
      return printErrors.template_line_error({ line: Number(line), column: Number(column), error: text })
    }),
  })
}
