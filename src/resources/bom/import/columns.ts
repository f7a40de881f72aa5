import type { HeadingField } from '../../../tables/heading-words.ts'
import { areRunningNumbers, bodyRows, type Cells, fieldOfHeading } from '../../../tables/headings.ts'
import { bomItem } from '../bom-item.resource.ts'
import { areDesignators } from './designators.ts'

/** A field for which a column can be taken: its heading, and its meaning. */
export type ImportField = { label: string; help_text: string; required?: boolean }

/** A field of the line itself, as the line explains it. */
const ofLine = (name: string): ImportField => {
  const { label, help = '' } = bomItem.fields[name] as { label?: string; help?: string }
  return { label: label ?? name.charAt(0).toUpperCase() + name.slice(1), help_text: help }
}

/** The fields for which columns of a table can be taken when lines of a bill of materials are made of its rows. */
export const IMPORT_FIELDS: Readonly<Record<HeadingField, ImportField>> = {
  quantity: { required: true, ...ofLine('quantity') },
  reference: ofLine('reference'),
  overage: ofLine('overage'),
  allow_variants: ofLine('allow_variants'),
  inherited: ofLine('inherited'),
  optional: ofLine('optional'),
  consumable: ofLine('consumable'),
  note: ofLine('note'),
  part: { label: 'Part', help_text: 'The IPN, MPN, SKU or name of the component.' },
  part_id: { label: 'Part ID', help_text: 'The key of the component.' },
  part_name: { label: 'Part Name', help_text: 'The name of the component.' },
  part_ipn: { label: 'Part IPN', help_text: 'The IPN of the component.' },
  part_mpn: { label: 'MPN', help_text: "The manufacturer's part number of the component." },
  part_sku: { label: 'SKU', help_text: "The supplier's SKU of the component." },
  level: { label: 'BOM Level', help_text: 'The depth of the row below the assembly: only rows of the first level become lines.' },
  dnp: { label: 'Do not populate', help_text: 'Whether the row is not populated: those rows are skipped.' },
  fitted: { label: 'Fitted', help_text: 'Whether the row is populated: all other rows are skipped.' },
}

/** Each of these columns can name a component, those first that tell most. */
export const PART_COLUMNS = ['part_id', 'part_ipn', 'part_mpn', 'part_sku', 'part_name', 'part'] as const
export type PartColumn = (typeof PART_COLUMNS)[number]

/** What a row says, without the cells that are empty: what is optional may be left out of a line, but not be null. */
export const filledIn = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null && !(typeof cell === 'string' && cell.trim() === '')))

/** The field by which the file of this service's own list (`GET /api/bom/?export=csv`) is known; there `part` is the assembly. */
const OWN_KEY = 'sub_part'

/**
 * The fields for which the columns of a table are taken by their headings, each field once; undefined where a heading is not known. A column
 * that would name components, but numbers the rows, is taken for none. One with designators is the reference, where the table has neither
 * references nor quantities.
 */
export function fieldsOf(headings: readonly string[], rows: readonly Cells[] = []): (HeadingField | undefined)[] {
  const isOwn = headings.includes(OWN_KEY)
  const body = bodyRows(rows)
  const named = headings.map((heading) => (isOwn && heading === 'part' ? undefined : fieldOfHeading(heading)))
  const isCounted = !named.some((found) => found?.field === 'quantity' || found?.field === 'reference')
  const known = named.map((found, at) => {
    if (found?.field !== 'part' && found?.field !== 'part_name') return found
    const cells = body.map((row) => row[at] ?? null)
    if (areRunningNumbers(cells)) return undefined
    return isCounted && areDesignators(cells) ? { ...found, field: 'reference' as const } : found
  })
  return known.map((found, at) => {
    const best = known.reduce((first, other, place) => {
      if (other?.field !== found?.field) return first
      return first < 0 || (other?.rank ?? 0) < (known[first]?.rank ?? 0) ? place : first
    }, -1)
    return best === at ? found?.field : undefined
  })
}
