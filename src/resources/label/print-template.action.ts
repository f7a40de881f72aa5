import { procedure } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { type Resource, responseSchema } from '../../kit/definition/resource.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { TemplateKind } from '../../printing/kinds.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { dataOutput } from '../data-output/data-output.resource.ts'
import { getRegistry } from '../plugins/plugin-registry.ts'
import type { TemplateClass } from '../printing/print-request.ts'
import { printFields, printTemplate } from '../printing/print-template.ts'
import { copies, type LabelRequest, planLabelPrint } from './print.action.ts'

type Templates = { templates: Resource; classOf: (kind: TemplateKind) => TemplateClass }

/** POST of `/api/label/print/`: with a template of any kind of object. */
export const printLabelTemplate = ({ templates, classOf }: Templates) =>
  procedure({
    method: 'POST',
    path: '/api/label/print/',
    summary: 'Print labels with a template of any kind',
    description:
      'Prints a label for each object, in the given order, and responds with the output, which is also listed at `/api/data-output/`. Further fields of the body are options of the plugin, as at the paths of single kinds, such as `machine` and `copies`. With `Prefer: respond-async` the response comes at once, with `complete: false`, and the URL of the print job in `Location`; an Idempotency-Key identifies the print. Requires permission to view the template and the objects.',
    errors: {
      invalid:
        'The template or an object does not exist, the template is disabled, does not apply to an object or cannot be rendered, or the plugin does not exist or does not print labels.',
      idempotency_mismatch: 'The Idempotency-Key was used with another print.',
      unavailable: 'The machine cannot print, its queue is full, or the plugin failed.',
    },
    example: { body: { template: 1, items: [] }, status: 400 },
    access: signedIn,
    right: 'view',
    body: {
      ...printFields(templates, 'label'),
      plugin: input.optional(
        input.text({
          max: 100,
          api530: {
            metadata: { type: 'related field', label: 'Printing Plugin', model: 'pluginconfig', api_url: '/api/plugins/' },
          },
          help: 'The plugin that prints; without one, the labels become a file.',
        }),
      ),
      copies,
    },
    response: responseSchema(dataOutput),
    handle(request) {
      const { template: _, items: __, plugin: ___, ...options } = request.raw
      const { plugin, copies: _copies, ...printed } = request.body
      if (plugin && !getRegistry(request).keys.includes(plugin))
        throw invalid({ plugin: [printErrors.label_plugin_unknown({ plugin })] })
      const check = (printRequest: object, templateClass: TemplateClass) =>
        planLabelPrint(printRequest as LabelRequest, templateClass)
      const query = plugin ? { plugin } : undefined
      return printTemplate(request as never, { area: 'label', templates, classOf, check }, printed, query, options)
    },
  })
