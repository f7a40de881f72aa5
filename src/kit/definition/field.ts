import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type TSchema, Type } from 'typebox'
import type { Services } from '../services/services.ts'
import { type Expression, findReferencedTable } from '../sql/sql.ts'
import type { ErrorMessage } from '../values/message.ts'
import { MARKDOWN_LENGTH } from '../values/text.ts'
import type { Filter } from './filter.ts'
import * as input from './input.ts'

/**
 * A query parameter by which a response includes a field, with its defaults in lists and in details; and for clients of API 530, where they
 * differ (`changedDetails`). Responses to writes include every flagged field for them (`detailsAfterWrites`), but those with
 * `afterWrites: false`, which InvenTree does not have.
 */
export type Flag = {
  name: string
  /** The name by which clients of API 196 know the parameter; it is read as well. */
  formerName?: string
  list: boolean
  detail: boolean
  api530?: boolean | { list: boolean; detail: boolean }
  afterWrites?: false
}

/** The flag of fields that API 196 does not have: its responses are prescribed (docs/configuration.md#api-version). */
export const EXTENDED: Flag = { name: 'extended', list: false, detail: false, api530: true }

/** A field that API 196 does not have: shown with `extended=true`, and to clients of API 530. */
export const extended = (field: Field): Field => ({ ...field, flag: EXTENDED })

/** The flagged fields that a response shows. */
export type Flags = ReadonlySet<string>

/** A nested object: the row that `on` refers to, in the form that `getShape` returns. */
export type Nested = { getShape: () => ReadShape; on: Expression }

/** The form of an object in responses: a table and its fields. A resource is one; `brief` makes smaller ones. */
export type ReadShape = { table: PgTable; fields: Fields }

export type Fields = Record<string, Field>

/** How a field differs for clients of API 530 (docs/configuration.md#api-version). */
export type FieldChanges = input.InputChanges & {
  /** Reads the value in place of the field (`extendedFields`). */
  value?: Partial<Pick<Field, 'sql' | 'nested' | 'rows' | 'schema'>>
  /** Rules of the value in a body (`changedRequirements`). */
  input?: Partial<Pick<input.Input<unknown>, 'required' | 'nullable'>>
}

/** One field of a resource: rules for reading, writing, filtering, searching and ordering. */
export type Field = {
  /** The heading that forms show; without one, the field's name in words. */
  label?: string
  /** One sentence about the meaning of the value, with its unit, for OPTIONS and the OpenAPI document. */
  help?: string
  api530?: FieldChanges
  /** The schema of the value in responses. */
  schema: TSchema
  /** OPTIONS metadata of a field that cannot be written. */
  options: input.Options
  /** The SQL of the value; nested objects have `nested` instead, lists of them `rows`; a field with none of these is write-only. */
  sql?: Expression
  nested?: Nested
  /** Existing clients expect the key to be absent instead of null (docs/configuration.md#wire-form). Such a field is never the last one. */
  isOmittedWhenNull?: boolean
  /** The rows that refer to this one by their `column`, in the order of their keys, each in the form that `getShape` returns. */
  rows?: { getShape: () => ReadShape; column: string }
  /** Objects that are added to the JSON object of `sql`, each under its key, if it refers to one. */
  inside?: Record<string, Nested>
  flag?: Flag
  /** The reader of the value in a body; without it the field is output-only. */
  input?: input.Input<unknown>
  /** A PUT without the field keeps the value, instead of resetting it to its default. */
  isKeptOnPut?: boolean
  /** The column that stores the written value; without it the value is for the resource's own rules. */
  column?: PgColumn
  filter?: Filter
  search?: boolean
  /** The expressions to order by under this field's name. */
  order?: Expression[]
}

type FieldText = Pick<Field, 'label' | 'help' | 'api530'>

type Uses = FieldText & {
  /** Filter by equality under the field's own name (`iexact`: ignoring case), or by the given filter. */
  filter?: boolean | 'iexact' | Filter
  search?: boolean
  order?: boolean
}

type ColumnOptions = Uses & {
  /** Must be given on POST and PUT, and not blank. */
  required?: boolean
  /** Shown, never written by clients. */
  readonly?: boolean
  /** The value if absent; without it, the column's own default. */
  default?: input.Default<unknown>
  /** Markdown, which keeps its line breaks. */
  multiline?: boolean
  /** The format of the column's text. */
  format?: 'url' | 'email'
  choices?: () => readonly input.Choice[]
  min?: number
  max?: number
  blank?: boolean
  /** Whether null is accepted in bodies; without it, whether the column may be null. */
  nullable?: boolean
  check?: (text: string) => ErrorMessage | undefined
  /** The wire form of a numeric column: a number (quantities), or a decimal string (money). */
  form?: 'number' | 'text'
  /** Values with more decimals than the column holds are rounded instead of rejected; the default for quantities. */
  round?: boolean
  flag?: Partial<Flag> & { name: string }
}

/** The maximum length of a column's text, in characters; undefined if it has no limit. */
const getMaxLength = (column: PgColumn): number | undefined => (column as { length?: number }).length

/** The maximum length of a text that clients may enter: a limit of its own, within that of the column. */
const getInputLength = (column: PgColumn, max?: number): number | undefined =>
  max === undefined ? getMaxLength(column) : Math.min(max, getMaxLength(column) ?? max)

const getColumnExpression = (column: PgColumn): Expression => `{${column.name}}`

/** The single place that defines the wire form of each column type. */
function describeReading(column: PgColumn, form: 'number' | 'text'): { sql: Expression; schema: TSchema; type: string } {
  const sql = getColumnExpression(column)
  const type = column.getSQLType()
  if (type.startsWith('varchar') || type.startsWith('text') || type.startsWith('char'))
    return type.includes('array')
      ? { sql, schema: Type.Array(Type.String()), type: 'list' }
      : { sql, schema: Type.String(), type: 'string' }
  if (type.startsWith('numeric'))
    return form === 'number'
      ? { sql: `trim_scale(${sql})`, schema: Type.Number(), type: 'float' }
      : { sql: `${sql}::text`, schema: Type.String({ format: 'decimal' }), type: 'decimal' }
  if (type.startsWith('timestamp'))
    return { sql: isoTimestamp(sql), schema: Type.String({ format: 'date-time' }), type: 'datetime' }
  if (type === 'integer' || type === 'bigint' || type === 'smallint') return { sql, schema: Type.Integer(), type: 'integer' }
  if (type === 'boolean') return { sql, schema: Type.Boolean(), type: 'boolean' }
  if (type === 'date') return { sql, schema: Type.String({ format: 'date' }), type: 'date' }
  if (type === 'json') return { sql, schema: Type.Any(), type: 'field' }
  throw new Error(`${column.name}: no wire form for ${type}`)
}

/** A timestamp on the wire: ISO 8601, UTC, with Z (sessions run in UTC). */
export const isoTimestamp = (sql: Expression): Expression => `to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Existing clients send money with more decimals than are stored (docs/configuration.md#wire-form). */
const roundsMoney = ({ config }: Services): boolean => config.wire.roundsMoney

function createInput(column: PgColumn, options: ColumnOptions, form: 'number' | 'text'): input.Input<unknown> {
  const { required = false, default: value } = options
  const common = { required, nullable: options.nullable ?? !column.notNull, default: value as never }
  const type = column.getSQLType()
  if (options.choices) return input.choice(options.choices, { ...common, blank: options.blank })
  if (type.includes('array')) return input.textList({ ...common, default: (value ?? (() => [])) as never })
  if (type.startsWith('varchar') || type.startsWith('text')) {
    const text = {
      ...common,
      max: getInputLength(column, options.max),
      blank: options.blank ?? !required,
      multiline: options.multiline,
      check: options.check,
    }
    return options.format === 'url' ? input.url(text) : options.format === 'email' ? input.email(text) : input.text(text)
  }
  if (type.startsWith('numeric')) {
    const { precision, scale } = column as unknown as { precision: number; scale: number }
    return input.decimal({
      ...common,
      digits: precision,
      places: scale,
      min: options.min,
      max: options.max,
      round: options.round ?? (form === 'number' || roundsMoney),
      form,
    })
  }
  if (type === 'integer' || type === 'bigint') return input.integer({ ...common, min: options.min, max: options.max })
  if (type === 'boolean') return input.boolean(common)
  if (type === 'date') return input.date(common)
  if (type.startsWith('timestamp')) return input.datetime(common)
  return input.json(common)
}

function completeFlag(flag: (Partial<Flag> & { name: string }) | undefined): Flag | undefined {
  return flag && { list: false, detail: false, ...flag }
}

/** A column: type, length, nullability and default come from the table. */
export function column(pgColumn: PgColumn, options: ColumnOptions = {}): Field {
  const type = pgColumn.getSQLType()
  const form =
    options.form ?? (type.startsWith('numeric') && (pgColumn as unknown as { scale: number }).scale === 6 ? 'text' : 'number')
  const reading = describeReading(pgColumn, form)
  const maxLength = getMaxLength(pgColumn) && getInputLength(pgColumn, options.max)
  const bodyInput = options.readonly
    ? undefined
    : createInput(pgColumn, options.multiline ? { max: MARKDOWN_LENGTH, ...options } : options, form)
  return {
    ...pickFieldText(options),
    schema: pgColumn.notNull ? reading.schema : input.orNull(reading.schema),
    options: { type: options.format ?? reading.type, ...(maxLength ? { max_length: maxLength } : {}) },
    sql: reading.sql,
    flag: completeFlag(options.flag),
    input: bodyInput,
    column: pgColumn,
    ...buildUses(options, `{${pgColumn.name}}`, reading.type),
  }
}

const pickFieldText = ({ label, help, api530 }: FieldText): FieldText => ({ label, help, api530 })

function buildUses(options: Uses, sql: Expression, type: string): Pick<Field, 'filter' | 'search' | 'order'> {
  const { filter } = options
  const typeFilter: Filter =
    type === 'boolean'
      ? { kind: 'boolean', sql }
      : type === 'string'
        ? { kind: 'text', sql: filter === 'iexact' ? `lower(${sql}) = lower({@value})` : `${sql} = {@value}` }
        : type === 'date'
          ? { kind: 'date', sql: `${sql} = {@value}` }
          : { kind: 'number', sql: `${sql} = {@value}` }
  return {
    filter: filter === undefined || filter === false ? undefined : filter === true || filter === 'iexact' ? typeFilter : filter,
    search: options.search,
    order: options.order ? [sql] : undefined,
  }
}

/** The primary key, `pk`. */
export const pk = (pgColumn: PgColumn): Field => ({
  ...column(pgColumn, { readonly: true, label: 'ID', help: 'The primary key.' }),
  order: undefined,
})

/** A column that is shown and never written by clients. */
export const readonly = (pgColumn: PgColumn, options: ColumnOptions = {}): Field =>
  column(pgColumn, { ...options, readonly: true })

type ReferenceOptions = Uses & {
  required?: boolean
  nullable?: boolean
  readonly?: boolean
  default?: input.Default<unknown>
  /** Restricts the objects that may be referenced. */
  only?: input.ReferenceRestriction
  /** Columns of the object that rules need: they are read when the object is looked up, into `write.referred`. */
  extraColumns?: readonly string[]
  /** The resource's name and URL, for OPTIONS; and the meaning of `only`. */
  model: string
  apiUrl: string
  filters?: Record<string, unknown>
  emptyIsNull?: boolean
  /** The table, for a column that has no foreign key of its own. */
  table?: () => PgTable
}

/** A reference to another object: its primary key, which must exist. */
export function ref(pgColumn: PgColumn, options: ReferenceOptions): Field {
  const table = options.table ?? (() => findReferencedTable(pgColumn) as PgTable)
  const metadata = { type: 'related field', model: options.model, api_url: options.apiUrl, filters: options.filters ?? {} }
  const { filter } = options
  return {
    ...pickFieldText(options),
    schema: pgColumn.notNull ? Type.Integer() : Type.Union([Type.Integer(), Type.Null()]),
    options: metadata,
    sql: getColumnExpression(pgColumn),
    column: pgColumn,
    input: options.readonly
      ? undefined
      : input.reference(table, {
          required: options.required,
          nullable: options.nullable ?? !pgColumn.notNull,
          default: options.default as never,
          only: options.only,
          extraColumns: options.extraColumns,
          options: metadata,
          emptyIsNull: options.emptyIsNull,
        }),
    filter:
      filter === true
        ? { kind: 'reference', table, sql: `{${pgColumn.name}} = {@value}` }
        : typeof filter === 'object'
          ? filter
          : undefined,
    search: options.search,
    order: options.order ? [getColumnExpression(pgColumn)] : undefined,
  }
}

type ComputedOptions = Uses & { flag?: Partial<Flag> & { name: string }; type?: string }

/** The type in OPTIONS for a schema's type, if it differs: a computed list or object is just a field. */
const METADATA_TYPES: Record<string, string | undefined> = { number: 'float', array: 'field', object: 'field' }

/** A value that nested objects do not compute: clients of API 530 expect its key. */
export const uncomputed = (): Field => extended(computed(Type.Null(), 'null::integer', { type: 'field' }))

/** A value computed in SQL. */
export function computed(schema: TSchema, sql: Expression, options: ComputedOptions = {}): Field {
  const { type: schemaType = 'field' } = schema as { type?: string }
  const type = options.type ?? METADATA_TYPES[schemaType] ?? schemaType
  return {
    ...pickFieldText(options),
    schema,
    options: { type },
    sql,
    flag: completeFlag(options.flag),
    ...buildUses(options, `(${sql})`, type),
  }
}

/** The text of a code, from a fixed table of choices. */
export function label(pgColumn: PgColumn, choices: readonly input.Choice[], options: Uses = {}): Field {
  const cases = choices.map((entry) => `when ${Number(entry.value)} then '${entry.label.replaceAll("'", "''")}'`).join(' ')
  return computed(Type.String(), `case {${pgColumn.name}} ${cases} else '' end`, options)
}

type NestedOptions = FieldText & Pick<Field, 'isOmittedWhenNull'> & { flag?: Partial<Flag> & { name: string }; via?: Expression }

/** Another object inside this one: the row that the column (or, with `via`, the expression) refers to, or null. */
export function nested(source: PgColumn | Expression, shape: () => ReadShape, options: NestedOptions = {}): Field {
  const on = typeof source === 'string' ? source : getColumnExpression(source)
  return {
    ...pickFieldText(options),
    schema: Type.Any(),
    options: { type: 'nested object' },
    nested: { getShape: shape, on },
    isOmittedWhenNull: options.isOmittedWhenNull,
    flag: completeFlag(options.flag),
  }
}

/** Further objects inside this one: all rows that refer to it by their column. */
export const rows = (referringColumn: PgColumn, shape: () => ReadShape, options: NestedOptions = {}): Field => ({
  ...pickFieldText(options),
  schema: Type.Any(),
  options: { type: 'field' },
  rows: { getShape: shape, column: referringColumn.name },
  flag: completeFlag(options.flag),
})

/** A value that is only written: for the resource's own rules, or shown as a constant if clients expect it. */
export function writeOnly(
  kind: input.Input<unknown>,
  options: FieldText & { constant?: Expression; schema?: TSchema } = {},
): Field {
  return {
    label: options.label ?? kind.label,
    help: options.help ?? kind.help,
    api530: { ...kind.api530, ...options.api530 },
    schema: options.schema ?? kind.schema,
    options: kind.options,
    input: kind,
    sql: options.constant,
  }
}

/**
 * A smaller object of the same table, for nesting: these fields, whatever flags they have, and `more` for fields of its own. Clients of API
 * 530 see the fields of `extendedNames` as well.
 */
export function brief(
  getShape: () => ReadShape,
  names: readonly string[],
  more: Fields = {},
  extendedNames: readonly string[] = [],
): () => ReadShape {
  let cachedShape: ReadShape | undefined
  return () => {
    if (cachedShape) return cachedShape
    const { table, fields } = getShape()
    const copyFields = (copied: readonly string[], flag?: Flag) =>
      Object.fromEntries(
        copied.map((name) => {
          const field = fields[name]
          if (!field) throw new Error(`brief: no field ${name}`)
          return [name, { ...field, flag }] as const
        }),
      )
    cachedShape = { table, fields: { ...copyFields(names), ...more, ...copyFields(extendedNames, EXTENDED) } }
    return cachedShape
  }
}
