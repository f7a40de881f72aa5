import type { FieldMetadata, ResourceMetadata } from '../console/kit/service/field-metadata.ts'

/** A part of a JSON schema, as far as field metadata is read from it. */
type Schema = {
  $ref?: string
  type?: string
  anyOf?: Schema[]
  enum?: (string | number)[]
  format?: string
  pattern?: string
  description?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}
type Parameter = { name?: string; in?: string; schema?: Schema; description?: string; 'x-fields'?: string[] }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

/** The OpenAPI document, as far as field metadata is read from it. */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Query parameters of every list, which are not filters. */
const COMMON_LIST_PARAMETERS = new Set([
  'limit',
  'offset',
  'cursor',
  'ordering',
  'search',
  'search_regex',
  'search_whole',
  'etag',
])

/**
 * Metadata of a resource or an action for the console: its fields with their help, limits and choices, its filters and orders. It is read
 * from the OpenAPI document, so that nothing is stated twice.
 * @param path the path in the document, such as `/api/company/`
 * @throws Error when the document has no such path
 */
export function extractFieldMetadata(document: Document, path: string): ResourceMetadata {
  const operations = document.paths[path]
  if (!operations) throw new Error(`the OpenAPI document has no ${path}`)
  const detailOperations = document.paths[`${path}{id}/`] ?? operations
  const resolve = (schema: Schema | undefined): Schema => {
    const name = schema?.$ref?.replace('#/components/schemas/', '')
    return (name === undefined ? schema : document.components.schemas[name]) ?? {}
  }
  const getBodySchema = (operation: Operation | undefined) =>
    resolve(operation?.requestBody?.content?.['application/json']?.schema)
  const readSchema = resolve((detailOperations.get ?? operations.get)?.responses?.['200']?.content?.['application/json']?.schema)
  // a list without a detail describes its rows itself
  const responseSchema = resolve(readSchema.properties?.results?.items ?? readSchema)
  const createSchema = getBodySchema(operations.post ?? operations.patch ?? operations.put)
  const updateSchema = getBodySchema(detailOperations.patch ?? detailOperations.put)
  const fields: Record<string, FieldMetadata> = {}
  for (const name of Object.keys({ ...responseSchema.properties, ...createSchema.properties, ...updateSchema.properties })) {
    const input = createSchema.properties?.[name] ?? updateSchema.properties?.[name]
    const metadata = toFieldMetadata(input ?? responseSchema.properties?.[name] ?? {})
    fields[name] = {
      ...metadata,
      ...(input ? {} : { isReadOnly: true }),
      ...(createSchema.required?.includes(name) ? { isRequired: true } : {}),
    }
  }
  const parameters = (operations.get?.parameters ?? []).filter((parameter) => parameter.in === 'query' && parameter.name)
  const filters: Record<string, FieldMetadata> = {}
  for (const { name = '', schema = {}, description } of parameters)
    if (!COMMON_LIST_PARAMETERS.has(name) && !name.endsWith('_detail'))
      filters[name] = toFieldMetadata({ ...schema, description })
  return { path, fields, filters, orders: listOrders(parameters) }
}

function toFieldMetadata(schema: Schema): FieldMetadata {
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false
  const valueSchema = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  const { minLength, maxLength, minimum, maximum } = valueSchema
  return {
    kind: getKind(valueSchema),
    ...(schema.description ? { help: schema.description } : {}),
    ...(isNullable ? { isNullable } : {}),
    ...(valueSchema.enum ? { choices: valueSchema.enum } : {}),
    ...(minLength ? { minLength } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }
}

/** A field that allows at least this number of characters has several lines. */
const MIN_MULTILINE_LENGTH = 1_000

function getKind({ type, format, enum: choices, maxLength = 0, items }: Schema): FieldMetadata['kind'] {
  if (choices) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer') return 'integer'
  // money is a string, so that no binary fraction rounds it
  if (type === 'number' || format === 'decimal') return 'number'
  if (type === 'array' && items?.type === 'string') return 'tags'
  if (type === 'array' || type === 'object') return 'structure'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'moment'
  if (format === 'email') return 'email'
  if (format === 'binary') return 'file'
  return maxLength >= MIN_MULTILINE_LENGTH ? 'lines' : 'text'
}

/** The fields that a list can be sorted by. */
const listOrders = (parameters: Parameter[]): string[] => parameters.find(({ name }) => name === 'ordering')?.['x-fields'] ?? []
