import { getTableName } from 'drizzle-orm'
import type { Errors } from '../../kit/request/errors.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { ImportModel } from './import-models.ts'
import { importerErrors } from './importer-errors.ts'

/** How rows find existing objects, and what happens then. */
export type MatchSettings = { match_field: string; on_match: 'update' | 'skip'; on_missing: 'create' | 'skip' }

type Match = { action: 'create' | 'update' | 'skip'; key?: number; error?: Errors }

/** The fields by which rows can find existing objects: texts of the object itself. */
export const listMatchFields = ({ resource }: ImportModel): string[] =>
  Object.entries(resource.fields).flatMap(([name, { column, input, options }]) =>
    column && input && ['string', 'url', 'email'].includes(options.type) ? [name] : [],
  )

/** Finds the object of each row by the value of one field, regardless of case unless only one has it exactly. */
export async function findMatches(
  tx: Tx,
  { resource }: ImportModel,
  { match_field, on_match, on_missing }: MatchSettings,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<Match[] | undefined> {
  const column = resource.fields[match_field]?.column
  if (!match_field || !column) return undefined
  const texts = rows.map((data) => String(data[match_field] ?? '').trim())
  const found = await tx.query<{ text: string; pk: number; is_exact: boolean }>(
    `select given.text, t.pk, t.${quote(column.name)} = given.text as is_exact
     from unnest($1::text[]) given (text) join ${quote(getTableName(resource.table))} t on lower(t.${quote(column.name)}) = lower(given.text)`,
    [[...new Set(texts.filter(Boolean))]],
  )
  const byText = Map.groupBy(found, ({ text }) => text)
  return texts.map((text): Match => {
    const candidates = byText.get(text) ?? []
    const exact = candidates.filter(({ is_exact }) => is_exact)
    const [first, ...others] = exact.length > 0 ? exact : candidates
    if (!first) return { action: on_missing }
    if (others.length > 0)
      return {
        action: on_match,
        error: { [match_field]: [importerErrors.import_reference_ambiguous({ value: text.slice(0, 200) })] },
      }
    return { action: on_match, key: first.pk }
  })
}
