import { Bytes, type Endpoint, type Request, view } from '../kit/definition/action.ts'
import type { Shape } from '../kit/definition/input.ts'
import { setting } from '../resources/settings/live.ts'
import { type Printed, readAsked } from './asked.ts'
import { itemParameters } from './item-keys.ts'
import { isLabel } from './kinds.ts'
import { pdfOf, pngOf, render, warningHeaders, warningsOf } from './make.ts'
import { subjectOf } from './subjects.ts'

/** GET of `/api/<kind>/{id}/preview/`: a label as a picture, a report as a PDF. Nothing is kept of it. */
export function previewTemplates(printed: Printed): Endpoint {
  const { kind, templates } = printed
  const subject = subjectOf(kind)
  const form = isLabel(kind) ? 'a picture (PNG, with LABEL_DPI dots to an inch)' : 'a PDF'
  return view({
    path: `${templates.path}{id}/preview/`,
    summary: `Preview: ${templates.name.toLowerCase()}`,
    description: `Shows how a template looks, as ${form}: filled in for the ${subject.object} that is named, or else for a sample. The template may be disabled and need not fit. Nothing is kept. Whoever looks needs the right to view what is shown.`,
    refuses: {
      invalid: 'The object does not exist, or the template cannot be filled in, and why.',
      not_found: 'There is no such template.',
      unavailable: 'Nothing can be printed on this machine, or too much is waiting.',
    },
    access: subject.access,
    query: itemParameters(subject, `The key of the ${subject.object} that is shown. Of several, a label shows the first.`),
    example: templates.example && { params: { id: templates.example.pk } },
    files: [isLabel(kind) ? 'image/png' : 'application/pdf'],
    read: (request) => look(request, printed),
  })
}

async function look(request: Request<Shape>, printed: Printed): Promise<Bytes> {
  const asked = await readAsked(request, printed, true)
  const rendered = await render(request, asked)
  const isPicture = isLabel(printed.kind)
  const bytes = isPicture ? await pngOf(request, rendered, setting(request, 'LABEL_DPI')) : await pdfOf(request, rendered)
  return new Bytes(isPicture ? 'image/png' : 'application/pdf', bytes, warningHeaders(warningsOf(rendered)))
}
