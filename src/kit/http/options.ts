import type { TSchema } from 'typebox'
import { MAX_LONG_LINK_LENGTH } from '../definition/common.ts'
import type { Field, ReadShape } from '../definition/field.ts'
import { type Input, resolveDefault, type Shape } from '../definition/input.ts'
import type { Resource } from '../definition/resource.ts'
import type { Caller } from '../request/caller.ts'
import type { Services } from '../services/services.ts'
import { getWriteShape } from '../writing/write.ts'
import type { Operation } from './operation.ts'

/**
 * Builds the response to OPTIONS: the methods that the caller can use, and every field with its type, limits, label and help. `read` is
 * the GET of the path.
 */
export type Describe = (
  methods: string[],
  services: Services & { caller: Caller },
  read?: Pick<Operation, 'response' | 'api530'>,
) => Promise<Record<string, unknown>>

const describeFormats = (shape: Shape | undefined, { config: { wire } }: Services) => ({
  parses: [
    'application/json',
    ...(wire.acceptsForms ? ['application/x-www-form-urlencoded'] : []),
    ...(wire.acceptsForms || Object.values(shape ?? {}).some(({ file }) => file) ? ['multipart/form-data'] : []),
  ],
  renders: ['application/json'],
})

/** OPTIONS of a resource's list (`POST`) and detail (`PUT`). */
export const describeResource =
  (resource: Resource, method: 'POST' | 'PUT'): Describe =>
  async (methods, services) => {
    const actions: Record<string, unknown> = {}
    for (const name of methods) if (name === 'GET' || name === 'DELETE') actions[name] = {}
    const describesAll = services.config.wire.describesLists
    const described = methods.filter((name) => name === method || (describesAll && (name === 'GET' || name === 'PUT')))
    if (described.length) {
      const suggested = await resource.suggestValues?.(services)
      const stored = await describeStored(resource.fields, services)
      const fields = Object.fromEntries(
        Object.entries(resource.fields).map(([name, field]) => [
          name,
          {
            ...describeField(name, field, services),
            ...(suggested && name in suggested ? { default: suggested[name] } : {}),
            ...stored[name],
          },
        ]),
      )
      for (const name of described) actions[name] = fields
    }
    return {
      name: `${resource.name} ${method === 'POST' ? 'List' : 'Detail'}`,
      description: resource.description ?? '',
      ...describeFormats(getWriteShape(resource), services),
      model: resource.model,
      actions,
    }
  }

type ActionDocs = Pick<Operation, 'api530'> & {
  summary?: string
  description?: string
  suggested?: Resource['suggestValues']
  response?: TSchema
}

/** OPTIONS of an action or another URL with a body of its own. If GET shows what PUT replaces, the remaining fields are listed as read-only. */
export const describeAction =
  (body: Shape, { summary = '', description = '', suggested, response, api530 }: ActionDocs = {}): Describe =>
  async (methods, services, read) => {
    const writeMethods = methods.filter((method) => method !== 'GET' && method !== 'DELETE' && method !== 'PATCH')
    const { describesLists } = services.config.wire
    const readFields = describesLists ? describeChangedResponse(read) : {}
    const showsResponse = methods.includes('GET') && methods.includes('PUT')
    const describedFields =
      writeMethods.length > 0
        ? {
            ...(describesLists
              ? { ...readFields, ...describeChangedResponse({ response, api530 }) }
              : showsResponse && describeResponse(response)),
            ...describeShape(body, services),
          }
        : {}
    const defaults = writeMethods.length > 0 ? ((await suggested?.(services)) ?? {}) : {}
    for (const [name, value] of Object.entries(defaults)) Object.assign(describedFields[name] as object, { default: value })
    for (const [name, values] of Object.entries(await describeStored(body, services)))
      Object.assign(describedFields[name] ?? {}, values)
    return {
      name: summary,
      description,
      ...describeFormats(body, services),
      actions: Object.fromEntries(
        methods
          .filter((method) => method !== 'PATCH')
          .map((method) => [method, writeMethods.includes(method) ? describedFields : method === 'GET' ? readFields : {}]),
      ),
    }
  }

/** Metadata of fields for clients of API 530 that depends on what is stored, by field. */
async function describeStored(fields: Record<string, Field | Input<unknown>>, services: Services) {
  if (!services.config.wire.changedMetadata) return {}
  const entries = Object.entries(fields).map(async ([name, field]) => {
    const describe = field.api530?.describe ?? ('input' in field ? field.input?.api530?.describe : undefined)
    return [name, await describe?.(services)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function describeField(name: string, field: Field, services: Services): Record<string, unknown> {
  const { changedMetadata } = services.config.wire
  const texts = {
    // to clients of API 530 a nested object has the heading of its key, whatever label other clients know
    label: (changedMetadata && name.endsWith('_detail') ? undefined : field.label) ?? toLabel(name),
    help_text: field.help ?? '',
    ...(changedMetadata && field.api530?.input?.required !== undefined && { required: field.api530.input.required }),
    ...(changedMetadata && field.api530?.metadata),
  }
  if (field.nested) return { ...describeNested(field.nested.getShape(), services), ...texts }
  if (field.rows)
    return { type: 'field', required: true, read_only: true, ...texts, child: describeNested(field.rows.getShape(), services) }
  const preset = getColumnDefault(field)
  const default_ = preset === undefined ? {} : { default: preset }
  if (!field.input) return { ...field.options, ...default_, required: true, read_only: true, ...texts }
  // the column knows its length even if the input does not
  const longer = field.options.type === 'url' && services.config.wire.longLinks ? { max_length: MAX_LONG_LINK_LENGTH } : {}
  return { ...field.options, ...default_, ...describeInput(field.input, services), ...longer, ...texts }
}

const describeNested = ({ fields }: ReadShape, services: Services) => ({
  type: 'nested object',
  required: true,
  read_only: true,
  children: Object.fromEntries(Object.entries(fields).map(([child, field]) => [child, describeField(child, field, services)])),
})

/** The column's default in the database, if it is a plain value; an empty string or null is not shown in a form. */
function getColumnDefault({ column, options }: Field): unknown {
  const preset = column?.default
  if (typeof preset === 'object' || preset === undefined || preset === '') return undefined
  return options.type === 'float' ? Number(preset) : preset
}

const describeShape = (shape: Shape, services: Services) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, input]) => [
      name,
      {
        ...describeInput(input, services),
        label: input.label ?? toLabel(name),
        help_text: input.help ?? '',
        ...(services.config.wire.changedMetadata && input.api530?.metadata),
      },
    ]),
  )

type DescribedSchema = TSchema & {
  anyOf?: DescribedSchema[]
  type?: string
  description?: string
  items?: DescribedSchema
  properties?: Record<string, DescribedSchema>
  format?: string
  maxLength?: number
}

/** The schema of one object in a response: in a list, that of an entry. */
function getRowSchema(schema?: DescribedSchema): DescribedSchema | undefined {
  if (schema?.items) return getRowSchema(schema.items)
  return schema?.properties?.results ? getRowSchema(schema.properties.results) : schema
}

/** The fields of a response for clients of API 530, who know more types than JSON has. */
const describeChangedResponse = ({ response, api530 }: Pick<Operation, 'response' | 'api530'> = {}) => {
  const schema = getRowSchema(response)
  return Object.fromEntries(
    Object.entries(describeResponse(schema)).map(([name, field]) => {
      const property = getValueSchema(schema?.properties?.[name] as DescribedSchema)
      const type = FORMAT_TYPES[property?.format ?? ''] ?? (property?.properties ? 'nested object' : field.type)
      const limit = property?.maxLength === undefined ? {} : { max_length: property.maxLength }
      return [name, { ...field, type, ...limit, ...(name === 'pk' && { label: 'ID' }), ...api530?.metadata?.[name] }]
    }),
  )
}

const FORMAT_TYPES: Record<string, string | undefined> = { date: 'date', 'date-time': 'datetime' }

/** The fields of a response. */
const describeResponse = (response?: DescribedSchema) =>
  Object.fromEntries(
    Object.entries(response?.properties ?? {}).map(([name, schema]) => [
      name,
      { type: getTypeName(schema), required: true, read_only: true, label: toLabel(name), help_text: schema.description ?? '' },
    ]),
  )

/** The schema of a value that is not null. */
const getValueSchema = (schema: DescribedSchema): DescribedSchema | undefined =>
  schema.anyOf ? schema.anyOf.find(({ type }) => type !== 'null') : schema

/** The name that existing clients use for the type of a value, among those that JSON distinguishes. */
function getTypeName(schema: DescribedSchema): string {
  const type = getValueSchema(schema)?.type
  if (type === 'number') return 'float'
  return type === 'string' || type === 'integer' || type === 'boolean' ? type : 'field'
}

/** Describes one value of a body. A form must require a value that can be neither null nor blank, even if it has a default. */
function describeInput(input: Input<unknown>, services: Services): Record<string, unknown> {
  const preset = input.default === undefined ? undefined : resolveDefault(input.default, services)
  return {
    required: services.config.wire.changedMetadata
      ? input.required && input.default === undefined
      : input.required || (!input.nullable && !input.blank),
    read_only: false,
    ...input.options,
    ...(preset === undefined ? {} : { default: preset }),
    ...(input.shape ? { children: describeShape(input.shape, services) } : {}),
    ...(input.item ? { child: describeInput(input.item, services) } : {}),
  }
}

/** A field's name as a heading, as existing clients know it: `MPN` becomes Mpn. */
export const toLabel = (name: string): string => {
  const text = name.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
