import type { Field } from '../definition/field.ts'
import { describe, type Shape } from '../definition/input.ts'
import type { Resource } from '../definition/resource.ts'
import type { Caller } from '../request/caller.ts'
import type { Services } from '../services/services.ts'

/** Makes the answer to OPTIONS: what the caller may do here, and every field with its type and limits. */
export type Describe = (methods: string[], services: Services, caller: Caller | undefined) => Promise<Record<string, unknown>>

const FORMATS = { parses: ['application/json'], renders: ['application/json'] }

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
          { ...describeField(name, field), ...(suggested && name in suggested ? { default: suggested[name] } : {}) },
        ]),
      )
    }
    return {
      name: `${resource.name} ${method === 'POST' ? 'List' : 'Detail'}`,
      description: '',
      ...FORMATS,
      model: resource.model,
      actions,
    }
  }

/** OPTIONS of an action or another address with a body of its own. */
export const actionOptions =
  (body: Shape): Describe =>
  async (methods) => ({
    name: '',
    description: '',
    ...FORMATS,
    actions: Object.fromEntries(
      methods
        .filter((method) => method !== 'PATCH')
        .map((method) => [
          method,
          method === 'GET' || method === 'DELETE'
            ? {}
            : Object.fromEntries(Object.entries(body).map(([name, kind]) => [name, { ...describe(kind), label: words(name) }])),
        ]),
    ),
  })

function describeField(name: string, field: Field): Record<string, unknown> {
  const label = field.label ?? words(name)
  if (field.nested) {
    const children = Object.fromEntries(
      Object.entries(field.nested.of().fields).map(([child, of]) => [child, describeField(child, of)]),
    )
    return { type: 'nested object', required: true, read_only: true, label, children }
  }
  if (!field.input) return { ...field.options, required: true, read_only: true, label }
  return { ...describe(field.input), label }
}

const words = (name: string): string => {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
