import { Bytes, type Endpoint, type Request, view } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { toNoun, withArticle } from '../../kit/http/nouns.ts'
import { isLabel, type TemplateKind } from '../../printing/kinds.ts'
import type { RenderedPrint } from '../../printing/rendering.ts'
import { setting } from '../../settings/live.ts'
import { itemParameters } from './item-keys.ts'
import { getWarnings, render, toPdf, toPng, warningHeaders } from './print-document.ts'
import { readPrintRequest, type TemplateClass } from './print-request.ts'
import { getSubject } from './subjects.ts'

/** GET `/api/<kind>/{id}/preview/`: a label as a picture, a report as a PDF. Nothing is stored. */
export function previewTemplates(templateClass: TemplateClass): Endpoint {
  const { kind, templates } = templateClass
  const subject = getSubject(kind)
  const form = isLabel(kind) ? 'an image (PNG, with LABEL_DPI dots per inch)' : 'a PDF'
  return view({
    path: `${templates.path}{id}/preview/`,
    summary: `Preview ${withArticle(toNoun(templates.name))}`,
    description: `Shows a template as ${form}: rendered for the named ${subject.object}, or else for sample data. The template may be disabled, and its filters are ignored. Nothing is stored. Requires permission to view the object.`,
    errors: {
      invalid: 'The object does not exist, or the template cannot be rendered, with the reason.',
      not_found: 'The template does not exist.',
      unavailable: 'Printing is unavailable on this machine, or its queue is full.',
    },
    access: subject.access,
    query: itemParameters(subject, `The key of the ${subject.object} to show. A label shows the first of several.`),
    example: templates.example && { params: { id: templates.example.pk } },
    files: [isLabel(kind) ? 'image/png' : 'application/pdf'],
    read: (request) => renderPreview(request, templateClass),
  })
}

async function renderPreview(request: Request<Shape>, templateClass: TemplateClass): Promise<Bytes> {
  const printRequest = await readPrintRequest(request, templateClass, true)
  return toPreview(request, templateClass.kind, await render(request, printRequest))
}

/** Prints a rendered template as previews show it: a label as a picture, a report as a PDF. */
export async function toPreview(request: Request<Shape>, kind: TemplateKind, rendered: RenderedPrint): Promise<Bytes> {
  const isPicture = isLabel(kind)
  const bytes = isPicture ? await toPng(request, rendered, setting(request, 'LABEL_DPI')) : await toPdf(request, rendered)
  return new Bytes(isPicture ? 'image/png' : 'application/pdf', bytes, warningHeaders(getWarnings(rendered)))
}
