import type { Tx } from '../../../kit/sql/tx.ts'
import { foldSql } from '../../../kit/values/fold-text.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { bomErrors } from '../bom-errors.ts'
import { PART_COLUMNS, type PartColumn } from './columns.ts'

/** The cells of a row that name its component, by column; null or absent for an empty one. */
type PartCells = Readonly<Partial<Record<PartColumn, string | null>>>

/** A part that a row can name. */
export type PartMatch = {
  pk: number
  name: string
  full_name: string
  IPN: string | null
  component: boolean
  trackable: boolean
}

/** The component that a row names, or the reason why there is none. */
export type Component = { part?: PartMatch; error?: ErrorMessage }

/** A part that the text of a cell matches, and whether it matches exactly. */
type Match = { pk: number; is_exact: boolean }
type Matches = ReadonlyMap<string, readonly Match[]>

const IDENTIFIER_KINDS = ['ipn', 'mpn', 'sku', 'name'] as const
type Kind = (typeof IDENTIFIER_KINDS)[number]

/** The attributes by which each column finds parts. Keys are read only from their own column. */
const KINDS_BY_COLUMN: Readonly<Record<Exclude<PartColumn, 'part_id'>, readonly Kind[]>> = {
  part_ipn: ['ipn'],
  part_mpn: ['mpn'],
  part_sku: ['sku'],
  part_name: ['name'],
  part: IDENTIFIER_KINDS,
}

/**
 * Finds the component of each row: the part that all its columns name together. IPNs, names and numbers match in any Unicode form, numbers
 * regardless of case; among several parts, an exact match wins. A row has an error if its columns name different parts, if its part has
 * another IPN than the row states, or if only its key matches and another column matches no part. All rows are looked up together.
 */
export async function findComponents(tx: Tx, rows: readonly PartCells[]): Promise<Component[]> {
  const trimmed = rows.map((row) =>
    PART_COLUMNS.flatMap((column) => {
      const text = row[column]?.trim()
      return text ? [{ column, text }] : []
    }),
  )
  const cells = trimmed.flat()
  const listTexts = (kind: Kind) => [
    ...new Set(
      cells.flatMap(({ column, text }) => (column !== 'part_id' && KINDS_BY_COLUMN[column].includes(kind) ? [text] : [])),
    ),
  ]
  const byText = await findMatches(tx, listTexts)
  const keys = cells.flatMap(({ column, text }) => (column === 'part_id' ? parseKey(text) : []))
  const parts = await readParts(tx, [
    ...keys,
    ...[...byText.values()].flatMap((candidates) => [...candidates.values()].flat()).map(({ pk }) => pk),
  ])
  const listMatches = (column: PartColumn, text: string): readonly Match[] =>
    column === 'part_id'
      ? parseKey(text).flatMap((pk) => (parts.has(pk) ? [{ pk, is_exact: true }] : []))
      : KINDS_BY_COLUMN[column].flatMap((kind) => byText.get(kind)?.get(text) ?? [])
  return trimmed.map((row) =>
    chooseComponent(
      row.map((cell) => ({ ...cell, matches: listMatches(cell.column, cell.text) })),
      parts,
    ),
  )
}

type Cell = { column: PartColumn; text: string; matches: readonly Match[] }

function chooseComponent(cells: readonly Cell[], parts: ReadonlyMap<number, PartMatch>): Component {
  const matchingCells = cells.filter(({ matches }) => matches.length > 0)
  const [first] = matchingCells
  if (!first) return { error: bomErrors.component_not_found }
  let common = first.matches.map(({ pk }) => pk)
  for (const { text, matches } of matchingCells) {
    const matching = common.filter((pk) => matches.some((match) => match.pk === pk))
    if (matching.length === 0) return { error: describeContradiction(first, { text, matches }, parts) }
    common = matching
  }
  const candidates = [...new Set(preferExact(common, matchingCells))]
  if (candidates.length > 1) return { error: bomErrors.component_ambiguous }
  const part = parts.get(candidates[0] as number) as PartMatch
  const matchesOnlyByKey = matchingCells.every(({ column }) => column === 'part_id')
  const other = cells.find(({ column, matches }) => matches.length === 0 && (matchesOnlyByKey || column === 'part_ipn'))
  if (other)
    return { part, error: bomErrors.component_named_otherwise({ text: first.text, part: part.full_name, other: other.text }) }
  return part.component ? { part } : { part, error: bomErrors.component_not_allowed }
}

/** Narrows several parts to the exact matches of a column, if there are any. */
function preferExact(pks: readonly number[], cells: readonly Cell[]): readonly number[] {
  if (new Set(pks).size < 2) return pks
  for (const { matches } of cells) {
    const exact = matches.flatMap(({ pk, is_exact }) => (is_exact && pks.includes(pk) ? [pk] : []))
    if (exact.length > 0 && new Set(exact).size < new Set(pks).size) return exact
  }
  return pks
}

function describeContradiction(
  first: Pick<Cell, 'text' | 'matches'>,
  other: Pick<Cell, 'text' | 'matches'>,
  parts: ReadonlyMap<number, PartMatch>,
) {
  const getName = ({ matches }: Pick<Cell, 'matches'>) => parts.get(matches[0]?.pk ?? 0)?.full_name ?? ''
  return bomErrors.component_contradiction({
    text: first.text,
    part: getName(first),
    other: other.text,
    other_part: getName(other),
  })
}

const parseKey = (text: string): number[] => (/^\d{1,9}$/.test(text) ? [Number(text)] : [])

/** Finds the parts that match these texts, by attribute and text. */
async function findMatches(tx: Tx, listTexts: (kind: Kind) => string[]): Promise<Map<Kind, Matches>> {
  const rows = await tx.query<Match & { kind: Kind; text: string }>(
    `select 'ipn' as kind, given.text, part.pk, lower(part."IPN") = lower(given.text) as is_exact
     from unnest($1::text[]) given (text) join part on lower(${foldSql('part."IPN"')}) = lower(${foldSql('given.text')})
     union all
     select 'name', given.text, part.pk, part.name = given.text
     from unnest($2::text[]) given (text) join part on ${foldSql('part.name')} = ${foldSql('given.text')}
     union all
     select distinct 'mpn', given.text, manufacturer_part.part, true
     from unnest($3::text[]) given (text) join manufacturer_part on upper(manufacturer_part."MPN") = upper(given.text)
     union all
     select distinct 'sku', given.text, supplier_part.part, true
     from unnest($4::text[]) given (text) join supplier_part on upper(supplier_part."SKU") = upper(given.text)`,
    [listTexts('ipn'), listTexts('name'), listTexts('mpn'), listTexts('sku')],
  )
  const candidates = new Map<Kind, Map<string, Match[]>>(IDENTIFIER_KINDS.map((kind) => [kind, new Map()]))
  for (const { kind, text, pk, is_exact } of rows) {
    const textMatches = candidates.get(kind)
    textMatches?.set(text, [...(textMatches.get(text) ?? []), { pk, is_exact }])
  }
  return candidates
}

async function readParts(tx: Tx, pks: readonly number[]): Promise<Map<number, PartMatch>> {
  const rows = await tx.query<PartMatch>(
    'select pk, name, full_name, "IPN", component, trackable from part where pk = any($1::integer[])',
    [[...new Set(pks)]],
  )
  return new Map(rows.map((part) => [part.pk, part]))
}
