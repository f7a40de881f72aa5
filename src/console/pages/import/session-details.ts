import { t } from '../../kit/language/language.ts'
import type { ServiceError } from '../../kit/language/service-texts.ts'
import { IMPORT_TYPES } from './import-types.ts'

/** A field of the objects, as the service describes it. */
export type ImportField = {
  type: string
  label: string
  help_text: string
  required: boolean
  model?: string
  choices?: readonly { value: string | number; display_name: string }[]
  lookup_fields?: readonly string[]
  can_create?: boolean
}

export type Mapping = {
  pk: number
  field: string
  column: string
  lookup_field: string | null
  create_missing: boolean
}

/** An import, as in `/api/importer/session/`. */
export type Session = {
  pk: number
  timestamp: string
  data_file: string
  model_type: string
  status: number
  update_records: boolean
  match_field: string
  on_match: 'update' | 'skip'
  on_missing: 'create' | 'skip'
  available_fields: Readonly<Record<string, ImportField>>
  columns: readonly string[]
  column_mappings: readonly Mapping[]
  field_overrides: Readonly<Record<string, unknown>> | null
  field_defaults: Readonly<Record<string, unknown>> | null
  row_count: number
  completed_row_count: number
  file_row_count: number | null
  sample_rows: readonly (readonly (string | null)[])[] | null
  sheet: string | null
  sheets: readonly string[]
  heading_row: number
  separator: string | null
  encoding: string | null
  decimal_separator: string
  user_detail: { username: string } | null
}

type Counts = { create: number; update: number; unchanged: number; skip: number }

export type Summary = {
  open: Counts
  accepted: Counts
  invalid: number
  errors: readonly { field: string; code: string; rows: number }[]
  created: readonly { field: string; model: string; name: string; rows: number }[]
  created_count: number
}

/** A row of an import, as in `/api/importer/row/`. */
export type ImportRow = {
  pk: number
  row_index: number
  data: Readonly<Record<string, unknown>>
  field_errors: readonly (ServiceError & { pointer: string })[]
  valid: boolean
  complete: boolean
  action: 'create' | 'update' | 'skip'
  object: number | null
  previous: Readonly<Record<string, unknown>> | null
  created: readonly { field: string; name: string }[]
}

/** The steps of an import, as the service numbers them. */
export const STATUS = { mapping: 10, reading: 20, checked: 30, complete: 40 } as const

/** The name of the file of an import, as it was sent, without the part that makes it unique. */
export const getFileName = ({ data_file }: Session): string =>
  decodeURIComponent(new URL(data_file, window.location.href).pathname.split('/').at(-1) ?? '').replace(
    /_[a-z0-9]{12}(?=\.\w+$)/,
    '',
  )

/** The objects of an import, in the plural. */
export const getTypeTitle = (type: string): string => {
  const entry = IMPORT_TYPES[type]
  return entry ? t(entry.title) : type
}

/** Sums the counts of rows. */
export const sumCounts = ({ create, update, unchanged, skip }: Counts): number => create + update + unchanged + skip

/** The fields that have a column, in the order of the columns. */
export const listMapped = ({ columns, column_mappings }: Session): Mapping[] =>
  columns.flatMap((column) => column_mappings.find((mapping) => mapping.column === column) ?? [])

/** Required fields without a column and a fixed value: they need a value for all rows. */
export function listOpenFields(session: Session): string[] {
  const { available_fields, column_mappings, field_overrides, update_records, match_field, on_missing } = session
  const mapped = new Set(column_mappings.flatMap(({ field, column }) => (column ? [field] : [])))
  const required = update_records
    ? ['id']
    : match_field && on_missing === 'skip'
      ? [match_field]
      : Object.keys(available_fields).filter((name) => available_fields[name]?.required || name === match_field)
  return required.filter((name) => !mapped.has(name) && !(field_overrides && name in field_overrides))
}

/** Those of them that have no value for all rows. */
export const listMissing = (session: Session): string[] =>
  listOpenFields(session).filter((name) => !session.field_defaults?.[name])

/** The errors of a field of a row. */
export const getErrors = ({ field_errors }: ImportRow, field: string) =>
  field_errors.filter(({ pointer }) => pointer.split('/')[1] === field)
