import { type TObject, type TSchema, Type } from 'typebox'
import type { Wire } from '../../wire.ts'
import { objectSchema, type Shape } from '../definition/input.ts'
import { problemSchema } from '../definition/problem-schema.ts'
import { ETAG, envelopeSchema, hasDetail, type Resource, rowSchema } from '../definition/resource.ts'
import { listFilters, listOrderings } from '../reading/list.ts'
import { listSearchConditions } from '../reading/search.ts'
import { LIST_FILES } from './list-file.ts'
import { buildErrorResponses, buildSuccessHeaders, errorSchema, headers, parameters } from './openapi-parts.ts'
import {
  acceptsFiles,
  describeOperation,
  getBodyShape,
  getResponseSchema,
  metadataSchema,
  type Operation,
  toNumericMoney,
} from './operation.ts'

const keysSchema = Type.Array(Type.Integer(), { description: 'The objects to delete.' })
const filtersSchema = Type.Object({}, { description: 'Only objects whose fields have these values.', additionalProperties: true })

/** The schema of an operation's body, with everything optional for a PATCH; undefined if it takes no body. */
export function getBodySchema(operation: Operation): TSchema | undefined {
  const fullBody = getFullBodySchema(operation)
  if (!fullBody || operation.method !== 'PATCH') return fullBody
  const { required: _, ...optional } = fullBody as Record<string, unknown>
  return optional as TSchema
}

function getFullBodySchema(operation: Operation): TSchema | undefined {
  const { kind, method } = operation
  if (kind === 'metadata' && method !== 'GET') return metadataSchema
  if (kind === 'bulk-delete') return Type.Object({ items: Type.Optional(keysSchema), filters: Type.Optional(filtersSchema) })
  const shape = getBodyShape(operation)
  const isEmpty = kind === undefined && Object.keys(shape ?? {}).length === 0
  return shape && !isEmpty ? objectSchema(addAliases(shape, operation)) : undefined
}

/** The fields of a body with the names that clients of API 530 may use instead. */
const addAliases = (shape: Shape, { resource, kind }: Operation): Shape => ({
  ...shape,
  ...Object.fromEntries(
    Object.entries((kind && resource?.aliases) ?? {}).flatMap(([alias, name]) => {
      const field = shape[name]
      return field ? [[alias, { ...field, required: false }]] : []
    }),
  ),
})

type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: TSchema
  description?: string
  example?: unknown
  'x-fields'?: readonly string[]
}

/** Converts a string from a query to a value of the type of its schema. */
const parseExample = (schema: TSchema, text: string): unknown =>
  Type.IsInteger(schema) || Type.IsNumber(schema) ? Number(text) : Type.IsBoolean(schema) ? text === 'true' : text

const textSchema = Type.String()

function listParameters(operation: Operation): Parameter[] {
  const { example = {}, params = {} } = operation
  const query = (name: string, schema: TSchema, description?: string): Parameter => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...(description ? { description } : {}),
    ...(example.query?.[name] === undefined ? {} : { example: parseExample(schema, example.query[name]) }),
  })
  const path = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match): Parameter => {
    const name = match[1] as string
    const isParent = operation.resource?.parent?.name === name
    const description = name === 'id' ? 'The primary key.' : params[name]
    return {
      name,
      in: 'path',
      required: true,
      schema: name === 'id' || isParent ? Type.Integer({ minimum: 0 }) : textSchema,
      ...(description ? { description } : {}),
      ...(example.params?.[name] === undefined ? {} : { example: example.params[name] }),
    }
  })
  const ownParameters = Object.entries(operation.query ?? {}).map(([name, description]) => query(name, textSchema, description))
  const { resource, kind } = operation
  if (!resource || (kind !== 'list' && kind !== 'detail')) return [...path, ...ownParameters]
  const flags = listFlags(resource).map(([name, fieldNames]) =>
    query(name, Type.Boolean(), `Whether the response includes ${fieldNames.map((field) => `\`${field}\``).join(', ')}.`),
  )
  if (kind === 'detail') return [...path, ...flags]
  const names = Object.keys(listOrderings(resource))
  return [
    ...path,
    query('limit', Type.Integer(), 'The maximum number of results on the page.'),
    query('offset', Type.Integer(), 'The number of results before the page.'),
    query(
      'cursor',
      textSchema,
      'An empty value starts a walk over the whole list, sorted by primary key and independent of concurrent writes; `next` then has the cursor to continue. Not with `offset`.',
    ),
    query(
      'export',
      Type.Unsafe({ type: 'string', enum: Object.keys(LIST_FILES) }),
      'Returns a file of this type instead of JSON: a table of all matching rows, with a column for each field. `limit`, `offset` and `cursor` are ignored.',
    ),
    ...(hasDetail(resource)
      ? [query(ETAG, Type.Boolean(), 'Whether each row has its version as `etag`: the ETag of its detail, for `If-Match`.')]
      : []),
    ...(names.length
      ? [
          {
            ...query(
              'ordering',
              textSchema,
              `Fields to sort by, separated by commas, each with a leading - for descending order: ${names.join(', ')}.`,
            ),
            // for programs, such as the console, that offer these fields
            'x-fields': names,
          },
        ]
      : []),
    ...(listSearchConditions(resource).length
      ? [
          query('search', textSchema, 'Words that must all occur, case-insensitive, separated by spaces or commas.'),
          query(
            'search_regex',
            Type.Boolean(),
            'Whether each word of `search` is a regular expression; it cannot contain a space or a comma.',
          ),
          query('search_whole', Type.Boolean(), 'Whether each word of `search` must match a whole word.'),
          query('search_notes', Type.Boolean(), 'Whether `search` also looks in the notes of the objects, if they have notes.'),
        ]
      : []),
    ...mergeParameters([...flags, ...describeFilters(resource).map(({ name, schema, help }) => query(name, schema, help))]),
  ]
}

/** Merges parameters of the same name, such as one that shows a field to some clients and is a filter for others. The later schema counts. */
function mergeParameters(parameters: readonly Parameter[]): Parameter[] {
  const merged = new Map<string, Parameter>()
  for (const parameter of parameters) {
    const former = merged.get(parameter.name)
    const description = [former?.description, parameter.description].filter(Boolean).join(' ')
    merged.set(parameter.name, { ...parameter, ...(description ? { description } : {}) })
  }
  return [...merged.values()]
}

/** The query parameters that show fields, each with its fields. */
function listFlags(resource: Resource): [string, string[]][] {
  const fieldNames = new Map<string, string[]>()
  for (const [name, { flag }] of Object.entries(resource.fields))
    if (flag) fieldNames.set(flag.name, [...(fieldNames.get(flag.name) ?? []), name])
  return [...fieldNames]
}

const SCHEMAS = {
  boolean: Type.Boolean(),
  number: Type.Number(),
  date: Type.String({ format: 'date' }),
  reference: Type.Integer(),
  text: textSchema,
  regex: textSchema,
}

/** The parameters that narrow a list, each with its schema and its help; a field's own filter is explained by the field. */
export function describeFilters(resource: Resource): { name: string; schema: TSchema; help: string | undefined }[] {
  return Object.entries(listFilters(resource)).flatMap(([name, filter]) => {
    if ('names' in filter) return Object.entries(filter.names).map(([entry, help]) => ({ name: entry, schema: textSchema, help }))
    const field = resource.filters?.[name] ? undefined : resource.fields[name]
    const help = filter.help ?? (field?.help && `Objects with this \`${name}\`: ${field.help}`)
    return [{ name, schema: SCHEMAS[filter.kind], help }]
  })
}

/** Metadata of the document. */
export type DocumentInfo = { title: string; version: string; description: string; license: { name: string; identifier: string } }

/** Groups of operations: those whose path continues after `/api/` with the group's key. */
export type Tags = Readonly<Record<string, { title: string; description: string }>>

/** The OpenAPI 3.1 document of these operations, from the schema objects that also validate bodies and responses. */
export function buildOpenapi(
  operations: readonly Operation[],
  info: DocumentInfo,
  tags: Tags,
  { numericMoney }: Pick<Wire, 'numericMoney'>,
): Record<string, unknown> {
  const adapt = numericMoney ? toNumericMoney : (schema: TSchema) => schema

  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Record<string, unknown> = { Error: errorSchema, Problem: problemSchema }
  const responses: Record<string, unknown> = {}
  const content = (schema: unknown, example?: unknown) => ({
    'application/json': { schema, ...(example === undefined ? {} : { example }) },
  })
  for (const operation of operations) {
    const { path, method, summary, status, example } = operation
    const body = getBodySchema(operation)
    const fieldNames = documentResponse(operation, schemas, adapt)
    const entry = paths[path] ?? {}
    paths[path] = entry
    entry[method.toLowerCase()] = {
      operationId: buildOperationId(operation),
      summary,
      description: describeOperation(operation),
      tags: [findTag(path, tags)],
      security: operation.access(undefined, operation.right) ? [...SECURITY, {}] : SECURITY,
      parameters: [
        ...listParameters(operation),
        ...(operation.versioned ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
        ...(operation.keyed || operation.asyncResponse ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
        ...(operation.asyncResponse ? [{ $ref: '#/components/parameters/Prefer' }] : []),
      ],
      ...(body
        ? {
            requestBody: {
              required: method !== 'PATCH',
              content: { ...content(documentBody(operation, body, schemas), example?.body), ...buildFormContent(operation) },
            },
          }
        : {}),
      responses: {
        [status]: {
          description: status === 302 ? 'The link to the next step.' : 'Done.',
          headers: buildSuccessHeaders(operation),
          ...(fieldNames || operation.files
            ? { content: { ...(fieldNames ? content(fieldNames) : {}), ...buildFileContent(operation) } }
            : {}),
        },
        ...(operation.asyncResponse && {
          202: { description: 'Started; it runs in the background.', content: content(operation.asyncResponse) },
        }),
        ...buildErrorResponses(operation, responses),
      },
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'This service.' }],
    tags: Object.entries(tags).map(([name, { title, description }]) => ({ name, 'x-displayName': title, description })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters,
      headers,
      responses,
      securitySchemes: {
        tokenAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'A token, with the prefix `Token`.' },
        basicAuth: { type: 'http', scheme: 'basic', description: 'Username and password of an account without a second factor.' },
        cookieAuth: { type: 'apiKey', in: 'cookie', name: 'sessionid', description: 'The session of a sign-in.' },
      },
    },
  }
}

const SECURITY = [{ tokenAuth: [] }, { basicAuth: [] }, { cookieAuth: [] }]

const findTag = (path: string, tags: Tags): string => {
  const name = path.split('/')[2] || 'service'
  return name in tags ? name : 'service'
}

/** The response as shown in the document: schemas of resources are named. */
function documentResponse(operation: Operation, schemas: Record<string, unknown>, adapt: (schema: TSchema) => TSchema): unknown {
  const { resource, kind } = operation
  const response = getResponseSchema(operation)
  if (!resource || !kind || !response || kind === 'metadata' || kind === 'bulk-delete') return response && adapt(response)
  const name = getComponentName(resource)
  schemas[name] = adapt(rowSchema(resource))
  const ref = { $ref: `#/components/schemas/${name}` }
  if (kind === 'bulk-update')
    return { ...response, properties: { ...(response as TObject).properties, items: { type: 'array', items: ref } } }
  if (kind !== 'list') return ref
  const envelope = envelopeSchema(Type.Any())
  return { ...envelope, properties: { ...envelope.properties, results: { type: 'array', items: ref } } }
}

/** The body as shown in the document: the input schemas of resources are named. */
function documentBody(operation: Operation, body: TSchema, schemas: Record<string, unknown>): unknown {
  const { resource, kind, method } = operation
  if (!resource || (kind !== 'create' && kind !== 'update')) return body
  const name = `${getComponentName(resource)}${method === 'PATCH' ? 'Change' : 'Input'}`
  schemas[name] = body
  return { $ref: `#/components/schemas/${name}` }
}

/** The content type of forms, for a body that may contain a file. */
function buildFormContent(operation: Operation): Record<string, unknown> {
  if (!acceptsFiles(operation)) return {}
  const schema = getBodySchema(operation) as unknown as { properties: Record<string, unknown> }
  const files = Object.entries(getBodyShape(operation) ?? {}).filter(([, { file }]) => file)
  const properties = files.map(([name, { help }]) => [name, { type: 'string', format: 'binary', description: help }])
  return {
    'multipart/form-data': { schema: { ...schema, properties: { ...schema.properties, ...Object.fromEntries(properties) } } },
  }
}

/** Files in a response, by their media types. */
const buildFileContent = ({ resource, kind, files = [] }: Operation): Record<string, unknown> =>
  Object.fromEntries(
    (resource && kind === 'list' ? Object.values(LIST_FILES) : files).map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  )

const getComponentName = (resource: Resource) =>
  resource.name
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The ID of an operation. A path may also be listed without its trailing slash. */
const buildOperationId = ({ method, path }: Operation) => {
  const words = path.replace('/api/', '').replaceAll(/[{}]/g, '').replaceAll(/[/-]+/g, '_').replace(/_$/, '') || 'root'
  return `${method.toLowerCase()}_${words}${path.endsWith('/') ? '' : '_without_slash'}`
}
