import type { Tx } from '../../../kit/sql/tx.ts'
import { folded } from '../../../kit/values/fold-text.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { bomErrors } from '../bom-errors.ts'

/** By what a row of a table names a component; null for nothing. */
export type Named = { key: string | null; name: string | null; ipn: string | null }

/** The component that a row names, or why there is none. */
export type Component = { pk: number | null; trackable?: boolean; error?: ErrorMessage }

const NO_COMPONENT = bomErrors.component_not_allowed

/**
 * Finds the component of each row: by its key, else by name and IPN, whatever of the two there is. Names and numbers are compared in
 * whichever form their characters are written; of several parts the one that is written as the row counts. All rows ask at once.
 */
export async function findComponents(tx: Tx, rows: readonly Named[]): Promise<Component[]> {
  const found = await tx.query<{ by_key: number | null; by_name: number[] | null }>(
    `select keyed.pk as by_key, named.pks as by_name
     from unnest($1::integer[], $2::text[], $3::text[]) with ordinality row (key, name, ipn, place)
     left join part keyed on keyed.pk = row.key
     left join lateral (
       select (array_agg(pk))[1:2] as pks from (
         select pk from (
           select part.pk, part.name = row.name as is_exact from part
           where row.name is not null and ${folded('part.name')} = ${folded('row.name')}
             and (row.ipn is null or lower(${folded('part."IPN"')}) = lower(${folded('row.ipn')}))
           union all
           select part.pk, lower(part."IPN") = lower(row.ipn) from part
           where row.name is null and lower(${folded('part."IPN"')}) = lower(${folded('row.ipn')})
         ) matching
         order by is_exact desc fetch first row with ties
       ) closest
     ) named on true
     order by row.place`,
    [rows.map(({ key }) => keyOf(key)), rows.map(({ name }) => name || null), rows.map(({ ipn }) => ipn || null)],
  )
  const components = await componentsAmong(
    tx,
    found.flatMap(({ by_key, by_name }) => [by_key, ...(by_name ?? [])]),
  )
  return found.map(({ by_key, by_name }) => {
    if (by_key === null && by_name && by_name.length > 1) return { pk: null, error: bomErrors.component_ambiguous }
    const pk = by_key ?? by_name?.[0]
    if (pk === undefined) return { pk: null, error: bomErrors.component_not_found }
    const trackable = components.get(pk)
    return trackable === undefined ? { pk, error: NO_COMPONENT } : { pk, trackable }
  })
}

const keyOf = (text: string | null): number | null => (text && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null)

/** Whether each is trackable, of those parts that can be components. */
async function componentsAmong(tx: Tx, parts: readonly (number | null)[]): Promise<Map<number, boolean>> {
  const rows = await tx.query<{ pk: number; trackable: boolean }>(
    'select pk, trackable from part where component and pk = any($1::integer[])',
    [parts],
  )
  return new Map(rows.map(({ pk, trackable }) => [pk, trackable]))
}
