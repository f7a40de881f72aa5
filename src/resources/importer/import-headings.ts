import type { Tx } from '../../kit/sql/tx.ts'
import { guessColumns } from './guess-columns.ts'
import type { ImportFields } from './import-fields.ts'
import type { ImportModel } from './import-models.ts'

/** The fields that an account means by headings, by heading; empty for a column that it does not import. */
export async function readHeadings(
  tx: Tx,
  user: number | null,
  type: string,
  headings: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (user === null) return new Map()
  const rows = await tx.query<{ heading: string; field: string }>(
    'select heading, field from import_heading where "user" = $1 and model_type = $2 and heading = any($3)',
    [user, type, headings],
  )
  return new Map(rows.map(({ heading, field }) => [heading, field]))
}

/** Stores what an account means by the headings of a file, where a guess would differ, so that its next file is mapped like this one. */
export async function storeHeadings(
  tx: Tx,
  user: number,
  model: ImportModel,
  { fields, headings, mappings }: { fields: ImportFields; headings: readonly string[]; mappings: ReadonlyMap<string, string> },
): Promise<void> {
  const guesses = new Map([...guessColumns(model, fields, headings)].map(([field, column]) => [column, field]))
  const entries = headings.flatMap((heading) => {
    const field = mappings.get(heading) ?? ''
    return field === (guesses.get(heading) ?? '') ? [] : [{ heading, field }]
  })
  const usual = headings.filter((heading) => !entries.some((entry) => entry.heading === heading))
  await tx.query('delete from import_heading where "user" = $1 and model_type = $2 and heading = any($3)', [
    user,
    model.type,
    usual,
  ])
  await tx.query(
    `insert into import_heading ("user", model_type, heading, field)
     select $1, $2, heading, field from json_to_recordset($3::json) as entry (heading text, field text)
     on conflict ("user", model_type, heading) do update set field = excluded.field, used = now()`,
    [user, model.type, JSON.stringify(entries)],
  )
}
