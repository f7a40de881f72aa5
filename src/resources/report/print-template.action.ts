import { procedure } from '../../kit/definition/action.ts'
import { type Resource, responseSchema } from '../../kit/definition/resource.ts'
import { signedIn } from '../../kit/request/caller.ts'
import type { TemplateKind } from '../../printing/kinds.ts'
import { dataOutput } from '../data-output/data-output.resource.ts'
import { readPrintRequest, type TemplateClass } from '../printing/print-request.ts'
import { printFields, printTemplate } from '../printing/print-template.ts'

type Templates = { templates: Resource; classOf: (kind: TemplateKind) => TemplateClass }

/** POST of `/api/report/print/`: with a template of any kind of object. */
export const printReportTemplate = ({ templates, classOf }: Templates) =>
  procedure({
    method: 'POST',
    path: '/api/report/print/',
    summary: 'Print a report with a template of any kind',
    description:
      'Prints the report of each object, in the given order, as one PDF, and responds with the output, which is also listed at `/api/data-output/`. With `Prefer: respond-async` the response comes at once, with `complete: false`, and the URL of the print job in `Location`; an Idempotency-Key identifies the print. Requires permission to view the template and the objects.',
    errors: {
      invalid:
        'The template or an object does not exist, or the template is disabled, does not apply to an object or cannot be rendered.',
      idempotency_mismatch: 'The Idempotency-Key was used with another print.',
      unavailable: 'Printing is unavailable on this machine, or its queue is full.',
    },
    example: { body: { template: 1, items: [] }, status: 400 },
    access: signedIn,
    right: 'view',
    body: printFields(templates, 'report'),
    response: responseSchema(dataOutput),
    handle: (request) =>
      printTemplate(request as never, { area: 'report', templates, classOf, check: readPrintRequest }, request.body),
  })
