import { type TSchema, Type } from 'typebox'
import { objectSchema, type Shape } from '../definition/input.ts'
import { answerSchema, envelopeSchema, type Resource } from '../definition/resource.ts'
import { filters, orderings } from '../reading/list.ts'
import { searched } from '../reading/search.ts'
import type { Access, Right } from '../request/caller.ts'
import { writeShape } from '../writing/write.ts'

/** One method of one address: what the route table holds, and the OpenAPI document is made from. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  access: Access
  right: Right
  status: number
  resource?: Resource
  kind?: 'list' | 'detail' | 'create' | 'update' | 'delete' | 'bulk-delete' | 'metadata'
  body?: Shape
  answer?: TSchema
  query?: Record<string, string>
}

const metadataSchema = Type.Object({ metadata: Type.Any() })

/** The schema of an operation's successful answer; undefined where there is no body. */
export function answerOf(operation: Operation): TSchema | undefined {
  const { kind, resource } = operation
  if (!resource || !kind) return operation.answer
  if (kind === 'list') return envelopeSchema(answerSchema(resource))
  if (kind === 'metadata') return metadataSchema
  return kind === 'delete' || kind === 'bulk-delete' ? undefined : answerSchema(resource)
}

function bodyOf(operation: Operation): TSchema | undefined {
  const { kind, resource, method, body } = operation
  if (kind === 'create' && resource) return objectSchema(writeShape(resource))
  if (kind === 'update' && resource)
    return method === 'PUT'
      ? objectSchema(writeShape(resource))
      : Type.Partial(objectSchema(writeShape(resource)) as ReturnType<typeof Type.Object>)
  if (kind === 'metadata' && method !== 'GET') return metadataSchema
  if (kind === 'bulk-delete')
    return Type.Object({ items: Type.Optional(Type.Array(Type.Integer())), filters: Type.Optional(Type.Object({})) })
  return body ? objectSchema(body) : undefined
}

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: TSchema; description?: string }

const text = Type.String()

function parametersOf(operation: Operation): Parameter[] {
  const query = (name: string, schema: TSchema, description?: string): Parameter => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...(description ? { description } : {}),
  })
  const path = [...operation.path.matchAll(/\{(\w+)\}/g)].map(
    (match): Parameter => ({
      name: match[1] as string,
      in: 'path',
      required: true,
      schema: match[1] === 'id' ? Type.Integer({ minimum: 0 }) : text,
    }),
  )
  const own = Object.entries(operation.query ?? {}).map(([name, description]) => query(name, text, description))
  const { resource, kind } = operation
  if (!resource || (kind !== 'list' && kind !== 'detail')) return [...path, ...own]
  const flags = [...new Set(Object.values(resource.fields).flatMap((field) => (field.flag ? [field.flag.name] : [])))].map(
    (name) => query(name, Type.Boolean(), 'Whether the answer shows this.'),
  )
  if (kind === 'detail') return [...path, ...flags]
  const schemaOf = {
    boolean: Type.Boolean(),
    number: Type.Number(),
    date: Type.String({ format: 'date' }),
    reference: Type.Integer(),
    text,
    regex: text,
    custom: text,
  }
  const narrowing = Object.entries(filters(resource)).flatMap(([name, filter]) =>
    filter.kind === 'custom' ? filter.names.map((entry) => query(entry, text)) : [query(name, schemaOf[filter.kind])],
  )
  const names = Object.keys(orderings(resource))
  return [
    ...path,
    query('limit', Type.Integer(), 'How many results the page has.'),
    query('offset', Type.Integer(), 'How many results come before the page.'),
    ...(names.length
      ? [
          query(
            'ordering',
            text,
            `Fields to order by, separated by commas, each with - in front for descending: ${names.join(', ')}.`,
          ),
        ]
      : []),
    ...(searched(resource).length ? [query('search', text, 'Words that must all occur.')] : []),
    ...flags,
    ...narrowing,
  ]
}

const errorSchema = {
  description: 'Texts by field; `non_field_errors` for the object as a whole, `detail` for everything else.',
  type: 'object',
  additionalProperties: true,
}

/** The OpenAPI 3.1 document of these operations, from the schema objects that also check bodies and answers. */
export function openapi(
  operations: readonly Operation[],
  about: { title: string; version: string; description: string },
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Record<string, unknown> = { Error: errorSchema }
  for (const operation of operations) {
    const { path, method, summary, resource, status } = operation
    const answer = answerOf(operation)
    const body = bodyOf(operation)
    const content = (schema: unknown) => ({ 'application/json': { schema } })
    let shown: unknown = answer
    if (resource && operation.kind && answer && operation.kind !== 'metadata') {
      const name = componentName(resource)
      schemas[name] = answerSchema(resource)
      const ref = { $ref: `#/components/schemas/${name}` }
      shown =
        operation.kind === 'list'
          ? {
              ...envelopeSchema(Type.Any()),
              properties: { ...envelopeSchema(Type.Any()).properties, results: { type: 'array', items: ref } },
            }
          : ref
    }
    const entry = paths[path] ?? {}
    paths[path] = entry
    entry[method.toLowerCase()] = {
      operationId: operationId(operation),
      summary,
      tags: [path.split('/')[2] || 'service'],
      parameters: parametersOf(operation),
      ...(body ? { requestBody: { required: method !== 'PATCH', content: content(body) } } : {}),
      responses: {
        [status]: { description: 'Done.', ...(shown ? { content: content(shown) } : {}) },
        '4XX': { description: 'Refused; see docs/errors.md.', content: content({ $ref: '#/components/schemas/Error' }) },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: about,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas,
      securitySchemes: {
        tokenAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'A token, with the prefix `Token`.' },
        basicAuth: { type: 'http', scheme: 'basic' },
      },
    },
    security: [{ tokenAuth: [] }, { basicAuth: [] }, {}],
  }
}

const componentName = (resource: Resource) =>
  resource.name
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const operationId = ({ method, path }: Operation) =>
  `${method.toLowerCase()}_${path.replace('/api/', '').replaceAll(/[{}]/g, '').replaceAll(/[/-]+/g, '_').replace(/_$/, '') || 'root'}`
