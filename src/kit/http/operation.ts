import { type TObject, type TSchema, Type } from 'typebox'
import type { Endpoint, Example } from '../definition/action.ts'
import type { Shape } from '../definition/input.ts'
import * as input from '../definition/input.ts'
import { envelopeSchema, type OperationKind, type Resource, responseSchema, rowSchema } from '../definition/resource.ts'
import type { Access, Right } from '../request/caller.ts'
import type { ProblemCode } from '../request/problem.ts'
import { getWriteShape } from '../writing/write.ts'
import { toNoun, withArticle } from './nouns.ts'

/** One method of one path: the route table's entry, and the source of the OpenAPI document. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  description?: string
  access: Access
  right: Right
  status: number
  resource?: Resource
  kind?: OperationKind
  body?: Shape
  response?: TSchema
  api530?: Endpoint['api530']
  /** The schema of its 202 response. */
  asyncResponse?: TSchema
  /** Media types of the files that it returns. */
  files?: readonly string[]
  params?: Record<string, string>
  query?: Record<string, string>
  /** The operation's own errors, by code, each with its condition. */
  errors?: Partial<Record<ProblemCode, string>>
  throttled?: boolean
  /** If-Match is supported. */
  versioned?: boolean
  /** Idempotency-Key is supported. */
  keyed?: boolean
  /** A GET that changes something. */
  unsafe?: boolean
  /** A change that is allowed even if the disk is nearly full. */
  worksOnFullDisk?: boolean
  /** Its responses are not stored anywhere. */
  containsSecret?: boolean
  example?: Example
}

/** The fields of an operation's body; undefined if it has none of its own. */
export function getBodyShape({ kind, resource, body }: Operation): Shape | undefined {
  if (kind === 'bulk-update' && resource) return getBulkShape(resource)
  return (kind === 'create' || kind === 'update') && resource ? getWriteShape(resource) : body
}

const itemKeys = input.list(input.integer({ min: 0 }), { required: true, help: 'The objects to change.' })

/** The fields of a PUT or PATCH on a list: the objects, and what to change; files are for single objects. */
export const getBulkShape = (resource: Resource): Shape => ({
  ...Object.fromEntries(
    Object.entries(getWriteShape(resource)).flatMap(([name, field]) =>
      field.file ? [] : [[name, { ...field, required: false }]],
    ),
  ),
  items: itemKeys,
})

/** Whether a body may hold a file. */
export const acceptsFiles = (operation: Operation): boolean =>
  Object.values(getBodyShape(operation) ?? {}).some(({ file }) => file !== undefined)

/** Metadata in a body and in a response. */
export const metadataSchema = Type.Object({
  metadata: Type.Any({ description: 'Metadata of other programs. Numbers retain all digits.' }),
})

/** The response to a PUT or PATCH on a list. */
export const buildBulkResponse = (resource: Resource): TObject =>
  Type.Object({ success: textSchema, items: Type.Array(responseSchema(resource)) })

const textSchema = Type.String({ description: 'What was done.' })

/** The schema of an operation's successful response; undefined if it has no body. */
export function getResponseSchema(operation: Operation): TSchema | undefined {
  const { kind, resource } = operation
  if (!resource || !kind) return operation.response
  if (kind === 'list') return envelopeSchema(rowSchema(resource))
  if (kind === 'metadata') return metadataSchema
  if (kind === 'bulk-update') return buildBulkResponse(resource)
  if (kind === 'bulk-delete' && operation.status === 200) return Type.Object({ success: textSchema })
  return kind === 'delete' || kind === 'bulk-delete' ? undefined : responseSchema(resource)
}

/** The schema of a response to clients of API 530, whose money is a number (`numericMoney`). */
export function toNumericMoney(schema: TSchema): TSchema {
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert)
    if (typeof node !== 'object' || node === null) return node
    const { type, format, ...rest } = node as Record<string, unknown>
    if (type === 'string' && format === 'decimal') return { ...rest, type: ['number', 'string'] }
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, convert(value)]))
  }
  return convert(schema) as TSchema
}

/** Describes an operation, its errors and the required permissions, in sentences. */
export function describeOperation({ resource, kind, method, description = '', access, right }: Operation): string {
  const ownDescription =
    resource && kind ? `${getDefaultDescription(resource, kind, method)} ${resource.remarks?.[kind] ?? ''}` : description
  return [ownDescription.trim(), access.words(right)].filter(Boolean).join(' ')
}

/** Describes every operation of this kind. */
function getDefaultDescription({ name, description = '' }: Resource, kind: OperationKind, method: string): string {
  const noun = toNoun(name)
  const one = withArticle(noun)
  switch (kind) {
    case 'list':
      return `${description} Returns the objects that match the filters, page by page, with their exact number.`
    case 'detail':
      return `${description} Its version is the ETag.`
    case 'create':
      return `Creates ${one}, and returns it like GET.`
    case 'update':
      return method === 'PUT'
        ? `Replaces ${one}: a missing optional field is reset to its default.`
        : `Changes the given fields of ${one}.`
    case 'delete':
      return `Deletes ${one}.`
    case 'bulk-update':
      return `Changes the given fields of each ${noun} that \`items\` names, as a PATCH of each would: all of them or none. Returns them like GET.`
    case 'bulk-delete':
      return `Deletes each ${noun} that \`items\` names and \`filters\` match: all of them or none.`
    case 'metadata':
      if (method === 'GET') return `The metadata of ${one}: any JSON value, null until it is first set.`
      return method === 'PUT'
        ? `Replaces the metadata of ${one}.`
        : `Merges an object into the metadata of ${one}, key by key; any other value replaces the metadata.`
  }
}

/** The request to an object of the demo workshop that is the example of a resource's operation. */
export function getExample(
  { example, parent: parentColumn }: Resource,
  kind: OperationKind,
  method: string,
): Example | undefined {
  if (!example || kind === 'bulk-delete') return undefined
  const { pk, create, replace = create, change, deletable, hasNoObject, cannotBeCreated } = example
  const inParent = parentColumn && example.parent !== undefined ? { [parentColumn.name]: example.parent } : undefined
  const own = inParent && { params: inParent }
  if (kind === 'list') return { ...own, query: { limit: '25' } }
  if (kind === 'create') return { ...own, body: create, ...(cannotBeCreated && { status: 400 }) }
  if (kind === 'delete') return deletable === undefined ? undefined : { params: { ...inParent, id: deletable } }
  const target: Example = { params: { ...inParent, id: pk }, ...(hasNoObject && { status: 404 }) }
  if (kind === 'metadata') return method === 'GET' ? target : { ...target, body: { metadata: { shelf_life: 'checked' } } }
  if (kind === 'bulk-update') return { ...own, body: { items: [pk], ...change } }
  return kind === 'update' ? { ...target, body: method === 'PUT' ? replace : change } : target
}
