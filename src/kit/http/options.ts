import type { TSchema } from 'typebox'
import type { Field, ReadShape } from '../definition/field.ts'
import { defaultValue, type Input, type Shape } from '../definition/input.ts'
import type { Resource } from '../definition/resource.ts'
import type { Caller } from '../request/caller.ts'
import type { Services } from '../services/services.ts'
import { writeShape } from '../writing/write.ts'

/** Builds the response to OPTIONS: what the caller may do here, and every field with its type, limits, label and help. */
export type Describe = (methods: string[], services: Services & { caller: Caller }) => Promise<Record<string, unknown>>

const formats = (shape: Shape | undefined, { config: { wireForm } }: Services) => ({
  parses: [
    'application/json',
    ...(wireForm === 'inventree' ? ['application/x-www-form-urlencoded'] : []),
    ...(wireForm === 'inventree' || Object.values(shape ?? {}).some(({ file }) => file) ? ['multipart/form-data'] : []),
  ],
  renders: ['application/json'],
})

/** OPTIONS of a resource's list (`POST`) and detail (`PUT`). */
export const resourceOptions =
  (resource: Resource, method: 'POST' | 'PUT'): Describe =>
  async (methods, services) => {
    const actions: Record<string, unknown> = {}
    for (const name of methods) if (name === 'GET' || name === 'DELETE') actions[name] = {}
    if (methods.includes(method)) {
      const suggested = await resource.suggested?.(services)
      actions[method] = Object.fromEntries(
        Object.entries(resource.fields).map(([name, field]) => [
          name,
          { ...describeField(name, field, services), ...(suggested && name in suggested ? { default: suggested[name] } : {}) },
        ]),
      )
    }
    return {
      name: `${resource.name} ${method === 'POST' ? 'List' : 'Detail'}`,
      description: resource.description ?? '',
      ...formats(writeShape(resource), services),
      model: resource.model,
      actions,
    }
  }

type ActionDocs = { summary?: string; description?: string; suggested?: Resource['suggested']; response?: TSchema }

/** OPTIONS of an action or another URL with a body of its own. If GET shows what PUT replaces, the remaining fields are listed as read-only. */
export const actionOptions =
  (body: Shape, { summary = '', description = '', suggested, response }: ActionDocs = {}): Describe =>
  async (methods, services) => {
    const writing = methods.filter((method) => method !== 'GET' && method !== 'DELETE' && method !== 'PATCH')
    const shows = methods.includes('GET') && methods.includes('PUT')
    const described = writing.length > 0 ? { ...(shows && describeResponse(response)), ...describeShape(body, services) } : {}
    const defaults = writing.length > 0 ? ((await suggested?.(services)) ?? {}) : {}
    for (const [name, value] of Object.entries(defaults)) Object.assign(described[name] as object, { default: value })
    return {
      name: summary,
      description,
      ...formats(body, services),
      actions: Object.fromEntries(
        methods.filter((method) => method !== 'PATCH').map((method) => [method, writing.includes(method) ? described : {}]),
      ),
    }
  }

function describeField(name: string, field: Field, services: Services): Record<string, unknown> {
  const texts = { label: field.label ?? toLabel(name), help_text: field.help ?? '' }
  if (field.nested) return { ...describeNested(field.nested.of(), services), ...texts }
  if (field.rows)
    return { type: 'field', required: true, read_only: true, ...texts, child: describeNested(field.rows.of(), services) }
  const preset = columnDefault(field)
  const default_ = preset === undefined ? {} : { default: preset }
  if (!field.input) return { ...field.options, ...default_, required: true, read_only: true, ...texts }
  // the column knows its length even if the input does not
  return { ...field.options, ...default_, ...describeInput(field.input, services), ...texts }
}

const describeNested = ({ fields }: ReadShape, services: Services) => ({
  type: 'nested object',
  required: true,
  read_only: true,
  children: Object.fromEntries(Object.entries(fields).map(([child, of]) => [child, describeField(child, of, services)])),
})

/** The column's default in the database, if it is a plain value; an empty text or null is not shown in a form. */
function columnDefault({ column, options }: Field): unknown {
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

type Described = TSchema & { anyOf?: Described[]; type?: string; description?: string }

/** The fields of a response. */
const describeResponse = (response?: TSchema & { properties?: Record<string, Described> }) =>
  Object.fromEntries(
    Object.entries(response?.properties ?? {}).map(([name, schema]) => [
      name,
      { type: typeOf(schema), required: true, read_only: true, label: toLabel(name), help_text: schema.description ?? '' },
    ]),
  )

/** The name that existing clients use for the type of a value, among those that JSON distinguishes. */
function typeOf({ anyOf, type: only }: Described): string {
  const type = anyOf ? anyOf.find((one) => one.type !== 'null')?.type : only
  if (type === 'number') return 'float'
  return type === 'string' || type === 'integer' || type === 'boolean' ? type : 'field'
}

/** Describes one value of a body. A form must require a value that can be neither null nor blank, even if it has a default. */
function describeInput(input: Input<unknown>, services: Services): Record<string, unknown> {
  const preset = input.default === undefined ? undefined : defaultValue(input.default, services)
  return {
    required: input.required || (!input.nullable && !input.blank),
    read_only: false,
    ...input.options,
    ...(preset === undefined ? {} : { default: preset }),
    ...(input.shape ? { children: describeShape(input.shape, services) } : {}),
    ...(input.item ? { child: describeInput(input.item, services) } : {}),
  }
}

/** A field's name as a heading, as existing clients know it: `MPN` becomes Mpn. */
const toLabel = (name: string): string => {
  const text = name.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
