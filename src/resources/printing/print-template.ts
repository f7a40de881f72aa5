import { getTableName } from 'drizzle-orm'
import { Reply, type Request } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { requireAccess } from '../../kit/request/caller.ts'
import { unknownReference } from '../../kit/request/errors.ts'
import { invalid, Problem, restoreProblem } from '../../kit/request/problem.ts'
import { quote } from '../../kit/sql/sql.ts'
import { parseJson } from '../../kit/values/json.ts'
import { TEMPLATE_MODELS, type TemplateArea, type TemplateKind, type TemplateModel } from '../../printing/kinds.ts'
import { findReadableKeys } from '../../printing/objects.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { dataOutput } from '../data-output/data-output.resource.ts'
import { backgroundHeaders, obtainJob, prefersAsync } from '../print-job/print-job.ts'
import { MAX_ITEMS, type TemplateClass } from './print-request.ts'
import { getSubject } from './subjects.ts'

/** The fields of a print of any template. */
export const printFields = (templates: Resource, area: TemplateArea) => ({
  template: input.reference(() => templates.table, {
    required: true,
    options: { model: templates.model, api_url: templates.path },
    help: 'The template, which must be enabled.',
  }),
  items: input.list(input.integer({ min: 1, help: 'The key of an object.' }), {
    required: true,
    max: MAX_ITEMS,
    api530: { metadata: { type: 'list' } },
    help: `The keys of the objects to print ${area === 'label' ? 'labels' : 'the report'} for, at least one; of the kind that the template prints.`,
  }),
})

/** A template of any kind of object, and what it prints. */
type Printed = { template: number; items: readonly number[] }

type Printing = {
  area: TemplateArea
  templates: Resource
  /** The templates that print jobs of a kind name. */
  classOf: (kind: TemplateKind) => TemplateClass
  /** Whether the request can be printed; otherwise it throws. */
  check: (request: Request<input.Shape>, templateClass: TemplateClass) => Promise<unknown>
}

/**
 * Prints with a job, and responds with its output: once it has ended, or at once with `Prefer: respond-async`.
 * @param query parameters of the print except the objects
 * @param body the rest of the body, as at the paths of single kinds
 * @throws Problem, also that of a print that failed
 */
export async function printTemplate(
  request: Request<input.Shape>,
  { area, templates, classOf, check }: Printing,
  { template, items }: Printed,
  query: Record<string, string> = {},
  body: Record<string, unknown> = {},
): Promise<Reply> {
  const { database, caller } = request
  const [row] = await database.read<{ model_type: TemplateModel; kind_pk: number | null }>({
    text: `select model_type, kind_pk from ${quote(getTableName(templates.table))} where pk = $1`,
    values: [template],
  })
  if (!row) throw invalid({ template: [unknownReference(template)] })
  const kind = TEMPLATE_MODELS[row.model_type][area]
  const subject = getSubject(kind)
  requireAccess(subject.access, caller, 'view')
  requireAccess(subject.objects.access, caller, 'view')
  const pks = [...new Set(items)]
  if (pks.length === 0) throw invalid({ items: [printErrors.no_object_named({ kind: subject.object })] })
  const existing = await findReadableKeys(database, subject.objects, pks, caller)
  const missing = pks.filter((pk) => !existing.has(pk))
  if (missing.length)
    throw invalid({ items: [printErrors.printed_objects_unknown({ kind: subject.object, objects: missing.slice(0, 10) })] })
  const templateClass = classOf(kind)
  const printRequest = {
    ...request,
    pk: templateClass.templates === templates ? template : (row.kind_pk as number),
    query: { [subject.items]: pks.join(','), ...query },
    raw: body,
    body: (body.copies === undefined ? {} : { copies: Number(body.copies) }) as typeof request.body,
  }
  const job = await obtainJob(printRequest, kind, () => check(printRequest, templateClass))
  const isInBackground = prefersAsync(request.exchange)
  if (job.error && !isInBackground) throw restoreProblem(job.error)
  if (job.status === 'unknown' && !isInBackground) throw new Problem('unavailable', printErrors.print_uncertain)
  const output = await readDetail(dataOutput, job.pk, new Set(), { caller, services: request, executor: database })
  return new Reply(201, parseJson(output.body), isInBackground ? backgroundHeaders(job) : {})
}
