import { getTableName } from 'drizzle-orm'
import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { requireAccess } from '../../kit/request/caller.ts'
import { invalid, invalidObject, notFound, Problem } from '../../kit/request/problem.ts'
import { quote } from '../../kit/sql/sql.ts'
import { isObject } from '../../kit/values/json.ts'
import { isLabel, type TemplateKind } from '../../printing/kinds.ts'
import { findReadableKeys } from '../../printing/objects.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { findMatchingObjects } from './filters.ts'
import { parameterNames, readItemKeys } from './item-keys.ts'
import { getSubject, type Subject } from './subjects.ts'
import { buildTemplateSchema } from './template-schema.ts'

/** A kind of template, its definition, and the field that holds a template's file. */
export type TemplateClass = { kind: TemplateKind; templates: Resource; file: 'label' | 'template' }

/** The row of a template. */
export type TemplateRow = {
  pk: number
  name: string
  description: string | null
  filters: string
  enabled: boolean
  filename_pattern: string
  /** For labels, in millimeters. */
  width?: string
  height?: string
  /** For reports. */
  page_size?: string
  landscape?: boolean
  revision?: number
  include_installed?: boolean
  /** Whether all objects are printed in one document. */
  merge?: boolean
  /** Whether the document is attached to the printed objects. */
  attach_to_model?: boolean
} & Partial<Record<'label' | 'template', string>>

/** A print request. */
export type PrintRequest = TemplateClass & {
  subject: Subject
  template: TemplateRow
  /** The objects in requested order, each once; or the sample object of the kind. */
  items: readonly number[] | 'sample'
}

type TemplateRequest = Request<Shape>

/** Maximum number of objects in one print. */
export const MAX_ITEMS = 1_000

/**
 * Reads a print request and checks whether it is allowed. `isPreview`: for a template that is not in use yet, so it may be disabled or not
 * match the objects, and its sample is always available.
 * @throws Problem 404 without such a template, 403, 400
 */
export async function readPrintRequest(
  request: TemplateRequest,
  templateClass: TemplateClass,
  isPreview = false,
): Promise<PrintRequest> {
  if (!isPreview) rejectCrossSite(request)
  const subject = getSubject(templateClass.kind)
  const { objects, shows = [] } = subject
  for (const one of [objects, ...shows]) requireAccess(one.access, request.caller, 'view')
  // starts while the request is read
  void import('../../printing/worker/pool.ts').then(({ warmUp }) => warmUp(buildTemplateSchema))
  const template = await readTemplate(request, templateClass.templates)
  const items = await readItems(request, templateClass.kind, subject, isPreview)
  if (!isPreview) {
    if (!template.enabled) throw invalidObject(printErrors.template_disabled({ template: template.name }))
    await requireMatchingItems(request, objects, template, items)
  }
  return { ...templateClass, subject, template, items }
}

/**
 * Rejects prints that a page of another site links to, even if the browser sends a saved password with them. Clients in pages of
 * CORS_ORIGINS send the origin of their page.
 */
function rejectCrossSite({ config, exchange }: TemplateRequest): void {
  if (exchange.header('sec-fetch-site') !== 'cross-site') return
  const origin = exchange.header('origin')
  const isKnown = origin !== undefined && (config.corsOrigins === '*' || config.corsOrigins.includes(origin))
  if (!isKnown) throw new Problem('cross_site')
}

/** Reads the row of a template. @throws Problem 404 */
export async function readTemplate(
  { database, pk }: Pick<TemplateRequest, 'database' | 'pk'>,
  { table }: Resource,
): Promise<TemplateRow> {
  const text = `select * from ${quote(getTableName(table))} where pk = $1`
  const [row] = await database.read<TemplateRow>({ text, values: [pk] })
  if (!row) throw notFound()
  return row
}

async function readItems(
  request: TemplateRequest,
  kind: TemplateKind,
  subject: Subject,
  isPreview: boolean,
): Promise<readonly number[] | 'sample'> {
  const { config, database, query, caller } = request
  const { lenientItemKeys, printsNamedItems } = config.wire
  rejectItemsInBody(request, subject)
  const itemKeys = readItemKeys(subject, query, lenientItemKeys)
  if (!itemKeys || itemKeys.pks.length === 0) {
    if (printsNamedItems && !isPreview) throw noItemsProblem(kind, subject)
    if (itemKeys && !lenientItemKeys) throw invalid({ [itemKeys.name]: [printErrors.no_object_named({ kind: subject.object })] })
    return 'sample'
  }
  const { name, pks } = itemKeys
  if (pks.length > MAX_ITEMS) throw invalid({ [name]: [printErrors.max_printed({ max_items: MAX_ITEMS })] })
  const existingKeys = await findReadableKeys(database, subject.objects, pks, caller)
  const missing = pks.filter((pk) => !existingKeys.has(pk))
  if (missing.length)
    throw invalid({ [name]: [printErrors.printed_objects_unknown({ kind: subject.object, objects: missing.slice(0, 10) })] })
  return pks
}

/** Rejects objects named in the body: they would be ignored, and a sample printed instead. */
function rejectItemsInBody({ raw }: TemplateRequest, subject: Subject): void {
  if (!isObject(raw)) return
  const name = parameterNames(subject).find((one) => Object.hasOwn(raw, one))
  if (name !== undefined) throw invalid({ [name]: [printErrors.printed_objects_in_query({ parameter: subject.items })] })
}

/** Existing clients must name the objects to print, and receive the error of a report as plain text. */
function noItemsProblem(kind: TemplateKind, { item, object }: Subject): Problem {
  const text = printErrors.printed_object_required({ kind: object, parameter: item })
  return isLabel(kind) ? invalidObject(text) : invalid({ error: text })
}

async function requireMatchingItems(
  { database }: TemplateRequest,
  objects: Resource,
  { name, filters }: TemplateRow,
  items: readonly number[] | 'sample',
): Promise<void> {
  if (filters === '' || items === 'sample') return
  const matches = (await findMatchingObjects(database, objects, [filters], items)).get(filters)
  const mismatches = items.filter((pk) => !matches?.has(pk))
  if (mismatches.length === 0) return
  const itemKeys = mismatches.slice(0, 10).join(', ')
  throw invalidObject(
    printErrors.template_does_not_fit({ template: name, kind: objects.name.toLowerCase(), objects: itemKeys, filters }),
  )
}
