import type { Field } from '../../kit/definition/field.ts'
import { type Input, resolveDefault } from '../../kit/definition/input.ts'
import { toLabel } from '../../kit/http/options.ts'
import type { Services } from '../../kit/services/services.ts'
import { canCreateMissing } from './creatable.ts'
import { getImportShape, type ImportModel } from './import-models.ts'
import { listLookupFields } from './object-names.ts'

/** A field that a column can be mapped to, as clients know it from OPTIONS. */
export type ImportField = {
  type: string
  required: boolean
  read_only: false
  label: string
  help_text: string
  allow_null?: boolean
  allow_blank?: boolean
  default?: unknown
  choices?: readonly { value: unknown; display_name: string }[]
  /** Of a reference: the model of its objects, and the values that find them. */
  model?: string
  lookup_fields?: readonly string[]
  /** Of a reference: whether objects that do not exist can be created by their names. */
  can_create?: boolean
} & Record<string, unknown>

export type ImportFields = Readonly<Record<string, ImportField>>

/** The field for the key of an existing object. */
export const ID_FIELD = 'id'

const idField: ImportField = {
  label: 'ID',
  help_text: 'The key of the existing object.',
  type: 'integer',
  required: true,
  read_only: false,
}

/**
 * Describes the fields of a type.
 * @param updates whether rows name existing objects by their keys
 */
export function describeImportFields(model: ImportModel, services: Services, updates: boolean): ImportFields {
  const { fields: ownFields, aliases = {} } = model.resource
  const names = services.config.wire.extendedFields
    ? new Map(Object.entries(aliases).map(([alias, name]) => [name, alias]))
    : new Map()
  const fields = Object.entries(getImportShape(model)).map(
    ([name, input]) => [names.get(name) ?? name, describeField(model, name, input, ownFields[name], services)] as const,
  )
  return { ...(updates && { [ID_FIELD]: idField }), ...Object.fromEntries(fields) }
}

function describeField(
  { type: modelType }: ImportModel,
  name: string,
  input: Input<unknown>,
  field: Field | undefined,
  services: Services,
): ImportField {
  const { type, ...options } = input.options
  const isText = type === 'string' || type === 'url' || type === 'email'
  const preset = input.default === undefined ? getColumnDefault(field) : resolveDefault(input.default, services)
  return {
    type,
    required: input.required && input.default === undefined,
    read_only: false,
    label: input.label ?? toLabel(name),
    help_text: input.help ?? '',
    ...options,
    ...(preset === undefined ? {} : { default: type === 'float' ? Number(preset) : preset }),
    ...(isText && { allow_blank: input.blank ?? false }),
    allow_null: input.nullable,
    ...(type === 'related field' && {
      pk_field: 'pk',
      lookup_fields: listLookupFields(options.model),
      ...(canCreateMissing(modelType, name, options.model) && { can_create: true }),
    }),
  }
}

/** The column's default in the database, if it is a plain value. */
function getColumnDefault(field: Field | undefined): unknown {
  const preset = field?.column?.default
  if (preset === undefined || preset === null || typeof preset === 'object') return undefined
  return preset
}

/** The values that a row has without being told, by field. */
export const listDefaults = (fields: ImportFields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])))
