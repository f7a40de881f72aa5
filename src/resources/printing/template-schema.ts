import type { Field, Fields } from '../../kit/definition/field.ts'
import type { ObjectKind, TemplateSchema } from '../../printing/context/render-context.ts'
import { globalSettings } from '../../settings/registry.ts'
import type { Setting } from '../../settings/setting.ts'
import { ownAccount } from '../user/me/own-account.ts'
import { type Model, models } from './models.ts'

let cachedSchema: TemplateSchema | undefined

/** Collects the metadata that templates need from the definitions of this service. */
export function buildTemplateSchema(): TemplateSchema {
  cachedSchema ??= {
    kinds: Object.fromEntries([...models.values()].map((model) => [model.resource.path, toKind(model)])),
    account: toKind({ resource: ownAccount }),
    settings: {
      open: settingKeys(({ confidential }) => !confidential),
      confidential: settingKeys(({ confidential }) => confidential === true),
    },
  }
  return cachedSchema
}

const settingKeys = (matches: (setting: Setting) => boolean): string[] =>
  Object.entries<Setting>(globalSettings).flatMap(([key, setting]) => (matches(setting) ? [key] : []))

function toKind({ resource, references = {}, lists = {} }: Model): ObjectKind {
  const fields = Object.entries(resource.fields)
  const related = fields.map(([name, field]) => [name, references[name] ?? findUrl(field)] as const)
  return {
    path: resource.path,
    model: resource.model,
    references: Object.fromEntries(related.filter((entry): entry is [string, string] => models.has(entry[1] ?? ''))),
    lists: Object.fromEntries(Object.entries(lists).flatMap(([name, { path }]) => (models.has(path) ? [[name, path]] : []))),
    types: Object.fromEntries(
      fields.flatMap(([name, { options }]) => (FORMATTED_TYPES.has(options.type) ? [[name, options.type]] : [])),
    ),
    empty: emptyFields(resource.fields),
  }
}

const FORMATTED_TYPES = new Set(['date', 'datetime', 'decimal'])

/** The URL of the type that a field refers to. */
function findUrl({ options }: Field): string | undefined {
  const { type, api_url: url } = options as { type?: string; api_url?: string }
  return type === 'related field' ? url : undefined
}

function emptyFields(fields: Fields): Record<string, unknown> {
  const visibleFields = Object.entries(fields).filter(([, field]) => field.sql)
  return Object.fromEntries(visibleFields.map(([name, { schema }]) => [name, emptyValue((schema as { type?: string }).type)]))
}

const EMPTY_VALUES: Record<string, unknown> = { string: '', number: 0, integer: 0, boolean: false }

const emptyValue = (type: string | undefined): unknown => (type === 'array' ? [] : (EMPTY_VALUES[type ?? ''] ?? null))
