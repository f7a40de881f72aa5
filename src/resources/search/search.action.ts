import { Type } from 'typebox'
import { Json, procedure, type Request } from '../../kit/definition/action.ts'
import type { Query } from '../../kit/definition/filter.ts'
import * as input from '../../kit/definition/input.ts'
import { fieldErrors } from '../../kit/definition/problem-schema.ts'
import { envelopeSchema, type Resource } from '../../kit/definition/resource.ts'
import { buildPageLinks } from '../../kit/http/http.ts'
import { findConditions, readListRequest, readListWindow, runList } from '../../kit/reading/list.ts'
import { withPipeline } from '../../kit/reading/pipeline.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { Problem } from '../../kit/request/problem.ts'
import { requestErrors } from '../../kit/request/request-errors.ts'
import { isObject } from '../../kit/values/json.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { buildOrder } from '../build/build.resource.ts'
import { company } from '../company/company.resource.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.resource.ts'
import { supplierPart } from '../company/part/supplier-part.resource.ts'
import { purchaseOrder } from '../order/po/po.resource.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.resource.ts'
import { partCategory } from '../part/category/part-category.resource.ts'
import { part } from '../part/part.resource.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { stockItem } from '../stock/stock-item.resource.ts'

/** Searchable types of objects, by the names that existing clients know. */
const KINDS = {
  build: buildOrder,
  company,
  customer: company,
  manufacturer: company,
  manufacturerpart: manufacturerPart,
  part,
  partcategory: partCategory,
  purchaseorder: purchaseOrder,
  returnorder: returnOrder,
  salesorder: salesOrder,
  salesordershipment: salesOrderShipment,
  stockitem: stockItem,
  stocklocation: stockLocation,
  supplier: company,
  supplierpart: supplierPart,
  transferorder: transferOrder,
} satisfies Record<string, Resource>
type Kind = keyof typeof KINDS
const names = Object.keys(KINDS) as Kind[]

/** Types that are some of the objects of a list: the filter that selects them. */
const SELECTIONS: Partial<Record<Kind, Query>> = {
  customer: { is_customer: 'true' },
  manufacturer: { is_manufacturer: 'true' },
  supplier: { is_supplier: 'true' },
}

/** Search options of a type: the query parameters of its list. */
const listParameters = (): input.Input<Query | undefined> => ({
  schema: Type.Object({}, { additionalProperties: true }),
  options: { type: 'field' },
  help: 'The filters of the search for these, or none; omit to skip them.',
  required: false,
  nullable: false,
  read(value) {
    if (!isObject(value)) throw new FieldError(valueErrors.object_expected)
    return Object.fromEntries(
      Object.entries(value).map(([name, parameter]) => [
        name,
        parameter === null || typeof parameter === 'object' ? '' : String(parameter),
      ]),
    )
  },
})

/** Marks a value as required in forms, as existing clients know it, although null means its default. */
const requiredInForms = <Value>(value: input.Input<Value>): input.Input<Value> => ({
  ...value,
  options: { ...value.options, required: true },
})

const body = {
  search: input.text({
    required: true,
    blank: true,
    nullable: true,
    multiline: true,
    help: 'Words that must all occur, case-insensitive, separated by spaces or commas. Empty finds everything.',
  }),
  search_regex: requiredInForms(
    input.boolean({
      nullable: true,
      default: false,
      label: 'Search regex',
      help: 'Whether each word is a regular expression; it cannot contain a space or a comma.',
    }),
  ),
  search_whole: requiredInForms(
    input.boolean({
      nullable: true,
      default: false,
      label: 'Search whole',
      help: 'Whether each word must match a whole word.',
    }),
  ),
  search_notes: requiredInForms(
    input.boolean({
      nullable: true,
      default: false,
      label: 'Search notes',
      help: 'Whether notes are searched as well.',
    }),
  ),
  limit: requiredInForms(input.integer({ nullable: true, default: 1, help: 'The maximum number of objects of each type.' })),
  offset: requiredInForms(input.integer({ nullable: true, default: 0, help: 'The number of objects of each type to skip.' })),
  ...(Object.fromEntries(names.map((name) => [name, input.optional(listParameters())])) as Record<
    Kind,
    input.Input<Query | undefined>
  >),
}

const resultSchema = Type.Union([
  envelopeSchema(Type.Any()),
  Type.Object({ error: Type.String({ description: 'Why this type was not searched.' }), field_errors: fieldErrors }),
])

export const searchAll = procedure({
  method: 'POST',
  path: '/api/search/',
  summary: 'Search several object types at once',
  description:
    'Searches each object type that the body names, like its own list with the same parameters. The response has an entry for each type: the page of its list, or `error` with the reason why it was not searched, such as a missing permission or an invalid filter.',
  example: { body: { search: 'wren', limit: 5, part: { active: true }, stockitem: { in_stock: true, part_detail: true } } },
  access: signedIn,
  right: 'view',
  worksOnFullDisk: true,
  body,
  status: 200,
  response: Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(resultSchema)]))),
  handle: search,
})

async function search(request: Request<typeof body>): Promise<Json> {
  const kinds = names.filter((name) => request.body[name])
  const results = await withPipeline(request, request.caller?.pk, (database) =>
    Promise.all(kinds.map((name) => searchObjects({ ...request, database }, name))),
  )
  return new Json(`{${kinds.map((name, index) => `"${name}":${results[index]}`).join(',')}}`)
}

/** Returns the page of a type as JSON, or the reason why the type is not searched. */
async function searchObjects(request: Request<typeof body>, name: Kind): Promise<string> {
  const { caller, config } = request
  const { search, search_regex, search_whole, search_notes, limit, offset, [name]: ownParameters } = request.body
  const resource: Resource = KINDS[name]
  try {
    if (!resource.access(caller, 'view')) throw new Problem('permission_denied', requestErrors.access_to_kind_denied)
    const query: Query = {
      ...ownParameters,
      ...SELECTIONS[name],
      search: search ?? '',
      search_regex: String(search_regex ?? false),
      search_whole: String(search_whole ?? false),
      ...(search_notes && { search_notes: 'true' }),
      limit: String(limit ?? 1),
      offset: String(offset ?? 0),
    }
    // rejects a cursor, as the query has an offset
    const window = readListWindow(query, config.maxPageSize, false)
    const conditions = await findConditions(resource, query, request)
    const page = await runList(resource, readListRequest(resource, query, caller, window, request, conditions), caller, request)
    const pageOffset = 'offset' in window ? window.offset : 0
    const { next, previous } = buildPageLinks(buildListUrl(request, resource), query, window.limit ?? 0, pageOffset, page.count)
    const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
    return `{"count":${page.count},${links},"results":${page.rows}}`
  } catch (error) {
    return errorResult(error)
  }
}

/** URL of the list of a type, for the links to its further pages: with the same origin, whatever the path of this search request. */
const buildListUrl = ({ url }: Request<typeof body>, { path }: Resource): string =>
  `${/^\w+:\/\/[^/]*/.exec(url)?.[0] ?? ''}${path}`

/** Returns the reason why a type is not searched. @throws any error other than a rejected request */
function errorResult(error: unknown): string {
  if (!(error instanceof Problem) || error.status >= 500) throw error
  const { body, fieldErrors } = error
  const entries = isObject(body) ? Object.entries(body) : []
  const words = entries.map(([name, text]) => (name === 'detail' ? String(text) : `${name}: ${[text].flat().join(' ')}`))
  return JSON.stringify({ error: words.join(' ') || error.message, field_errors: fieldErrors })
}
