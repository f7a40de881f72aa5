import type { Tx } from '../../kit/sql/tx.ts'
import { guessColumns } from './guess-columns.ts'
import type { ImportFields } from './import-fields.ts'
import type { ImportModel } from './import-models.ts'

type Session = {
  pk: number
  model: ImportModel
  /** The columns that a write stores as JSON. */
  hidden: Readonly<Record<string, unknown>>
  /** The headings of a file that stays. */
  columns?: unknown
  overrides: unknown
}

const parse = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

/** Replaces the mappings of a session by guesses: one for each field that has no override. */
export async function replaceMappings(tx: Tx, { pk, model, hidden, columns, overrides }: Session): Promise<void> {
  const fields = parse(hidden.available_fields) as ImportFields
  const headings = parse(hidden.columns ?? columns) as string[]
  const overridden = (parse(overrides) ?? {}) as Record<string, unknown>
  const open = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in overridden)))
  const guesses = guessColumns(model, open, headings)
  const rows = Object.entries(open).map(([field, { label, help_text }]) => ({
    field,
    column: guesses.get(field) ?? '',
    label: label.slice(0, 200),
    description: (help_text || label).slice(0, 1000),
  }))
  await tx.query('delete from import_column_mapping where session = $1', [pk])
  await tx.query(
    `insert into import_column_mapping (session, field, "column", label, description)
     select $1, field, "column", label, description
     from rows from (json_to_recordset($2::json) as (field text, "column" text, label text, description text)) with ordinality
       as entry (field, "column", label, description, position)
     order by position`,
    [pk, JSON.stringify(rows)],
  )
}
