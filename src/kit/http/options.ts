import type { TSchema } from 'typebox'
import { MAX_LONG_LINK_LENGTH } from '../definition/common.ts'
import type { Field, ReadShape } from '../definition/field.ts'
import { type Input, resolveDefault, type Shape } from '../definition/input.ts'
import type { Resource } from '../definition/resource.ts'
import type { Caller } from '../request/caller.ts'
import type { Services } from '../services/services.ts'
import { getWriteShape } from '../writing/write.ts'

/** Builds the response to OPTIONS: the methods that the caller can use, and every field with its type, limits, label and help. */
export type Describe = (methods: string[], services: Services & { caller: Caller }) => Promise<Record<string, unknown>>

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
      const fields = Object.fromEntries(
        Object.entries(resource.fields).map(([name, field]) => [
          name,
          { ...describeField(name, field, services), ...(suggested && name in suggested ? { default: suggested[name] } : {}) },
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

type ActionDocs = { summary?: string; description?: string; suggested?: Resource['suggestValues']; response?: TSchema }

/** OPTIONS of an action or another URL with a body of its own. If GET shows what PUT replaces, the remaining fields are listed as read-only. */
export const describeAction =
  (body: Shape, { summary = '', description = '', suggested, response }: ActionDocs = {}): Describe =>
  async (methods, services) => {
    const writeMethods = methods.filter((method) => method !== 'GET' && method !== 'DELETE' && method !== 'PATCH')
    const showsResponse = methods.includes('GET') && methods.includes('PUT')
    const describedFields =
      writeMethods.length > 0 ? { ...(showsResponse && describeResponse(response)), ...describeShape(body, services) } : {}
    const defaults = writeMethods.length > 0 ? ((await suggested?.(services)) ?? {}) : {}
    for (const [name, value] of Object.entries(defaults)) Object.assign(describedFields[name] as object, { default: value })
    return {
      name: summary,
      description,
      ...describeFormats(body, services),
      actions: Object.fromEntries(
        methods
          .filter((method) => method !== 'PATCH')
          .map((method) => [method, writeMethods.includes(method) ? describedFields : {}]),
      ),
    }
  }

function describeField(name: string, field: Field, services: Services): Record<string, unknown> {
  const { describesLists } = services.config.wire
  const texts = {
    label: field.label ?? (describesLists ? toNestedLabel(name, field) : toLabel(name)),
    help_text: field.help ?? '',
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
      { ...describeInput(input, services), label: input.label ?? toLabel(name), help_text: input.help ?? '' },
    ]),
  )

type DescribedSchema = TSchema & { anyOf?: DescribedSchema[]; type?: string; description?: string }

/** The fields of a response. */
const describeResponse = (response?: TSchema & { properties?: Record<string, DescribedSchema> }) =>
  Object.fromEntries(
    Object.entries(response?.properties ?? {}).map(([name, schema]) => [
      name,
      { type: getTypeName(schema), required: true, read_only: true, label: toLabel(name), help_text: schema.description ?? '' },
    ]),
  )

/** The name that existing clients use for the type of a value, among those that JSON distinguishes. */
function getTypeName({ anyOf, type: ownType }: DescribedSchema): string {
  const type = anyOf ? anyOf.find((alternative) => alternative.type !== 'null')?.type : ownType
  if (type === 'number') return 'float'
  return type === 'string' || type === 'integer' || type === 'boolean' ? type : 'field'
}

/** Describes one value of a body. A form must require a value that can be neither null nor blank, even if it has a default. */
function describeInput(input: Input<unknown>, services: Services): Record<string, unknown> {
  const preset = input.default === undefined ? undefined : resolveDefault(input.default, services)
  return {
    required: services.config.wire.describesLists
      ? input.required && input.default === undefined
      : input.required || (!input.nullable && !input.blank),
    read_only: false,
    ...input.options,
    ...(preset === undefined ? {} : { default: preset }),
    ...(input.shape ? { children: describeShape(input.shape, services) } : {}),
    ...(input.item ? { child: describeInput(input.item, services) } : {}),
  }
}

/** The heading of a field for clients of API 530, to whom a nested object has that of its key. */
const toNestedLabel = (name: string, { nested }: Field): string => toLabel(nested ? name.replace(/_detail$/, '') : name)

/** A field's name as a heading, as existing clients know it: `MPN` becomes Mpn. */
export const toLabel = (name: string): string => {
  const text = name.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
