import type { Tx } from '../../kit/sql/tx.ts'
import { guessColumns, listKeyHeadings } from './guess-columns.ts'
import type { ImportFields } from './import-fields.ts'
import { readHeadings } from './import-headings.ts'
import type { ImportModel } from './import-models.ts'
import { readMappings } from './import-rows.ts'
import type { Mapping } from './row-values.ts'

type Session = {
  pk: number
  model: ImportModel
  /** The columns that a write stores as JSON. */
  hidden: Readonly<Record<string, unknown>>
  /** The headings of a file that stays. */
  columns?: unknown
  overrides: unknown
  /** The account that sent the file. */
  user: number | null
  /** Whether the columns that fields have stay: the file and the type are the same. */
  keepsColumns?: boolean
}

const parse = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

/** The fields of columns as they are; a column that could be the key of objects only now is guessed. */
const listKnown = (
  model: ImportModel,
  headings: readonly string[],
  mappings: readonly Mapping[],
): ReadonlyMap<string, string> => {
  const keys = listKeyHeadings(model)
  const byColumn = new Map(mappings.flatMap(({ field, column }) => (column ? [[column, field]] : [])))
  return new Map(headings.flatMap((heading) => (keys.includes(heading) ? [] : [[heading, byColumn.get(heading) ?? '']])))
}

/** Replaces the mappings of a session by guesses, and by what the account has meant by a heading before: one for each field that has no override. */
export async function replaceMappings(
  tx: Tx,
  { pk, model, hidden, columns, overrides, user, keepsColumns }: Session,
): Promise<void> {
  const fields = parse(hidden.available_fields) as ImportFields
  const headings = parse(hidden.columns ?? columns) as string[]
  const overridden = (parse(overrides) ?? {}) as Record<string, unknown>
  const open = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in overridden)))
  const current = keepsColumns ? new Map((await readMappings(tx, pk)).map((mapping) => [mapping.field, mapping])) : new Map()
  const known = keepsColumns
    ? listKnown(model, headings, [...current.values()])
    : await readHeadings(tx, user, model.type, headings)
  const guesses = guessColumns(model, open, headings, known)
  const rows = Object.entries(open).map(([field, { label, help_text }]) => ({
    field,
    column: guesses.get(field) ?? '',
    label: label.slice(0, 200),
    description: (help_text || label).slice(0, 1000),
    lookup_field: current.get(field)?.lookup_field ?? null,
    create_missing: current.get(field)?.create_missing ?? false,
  }))
  await tx.query('delete from import_column_mapping where session = $1', [pk])
  await tx.query(
    `insert into import_column_mapping (session, field, "column", label, description, lookup_field, create_missing)
     select $1, field, "column", label, description, lookup_field, create_missing
     from rows from (json_to_recordset($2::json) as (field text, "column" text, label text, description text, lookup_field text,
       create_missing boolean)) with ordinality
       as entry (field, "column", label, description, lookup_field, create_missing, position)
     order by position`,
    [pk, JSON.stringify(rows)],
  )
}
