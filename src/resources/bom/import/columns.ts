import type { HeadingField } from '../../../spreadsheets/heading-words.ts'
import { areRunningNumbers, type Cells, findHeadingField, selectBodyRows } from '../../../spreadsheets/headings.ts'
import { bomItem } from '../bom-item.resource.ts'
import { isDesignatorColumn } from './designators.ts'

/** A field that a column can be mapped to: its heading, and its meaning. */
export type ImportField = { label: string; help_text: string; required?: boolean }

/** A field of the line itself, with the label and help of the line. */
const getLineField = (name: string): ImportField => {
  const { label, help = '' } = bomItem.fields[name] as { label?: string; help?: string }
  return { label: label ?? name.charAt(0).toUpperCase() + name.slice(1), help_text: help }
}

/** The fields that columns of a table can be mapped to when its rows become BOM lines. */
export const IMPORT_FIELDS: Readonly<Record<HeadingField, ImportField>> = {
  quantity: { required: true, ...getLineField('quantity') },
  reference: getLineField('reference'),
  overage: getLineField('overage'),
  allow_variants: getLineField('allow_variants'),
  inherited: getLineField('inherited'),
  optional: getLineField('optional'),
  consumable: getLineField('consumable'),
  note: getLineField('note'),
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

/** Columns that can name a component, the most specific first. */
export const PART_COLUMNS = ['part_id', 'part_ipn', 'part_mpn', 'part_sku', 'part_name', 'part'] as const
export type PartColumn = (typeof PART_COLUMNS)[number]

/** The cells of a row without the empty ones: a line may omit optional values, but not set them to null. */
export const omitEmptyCells = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null && !(typeof cell === 'string' && cell.trim() === '')))

/** A heading that occurs only in files exported by this service (`GET /api/bom/?export=csv`), in which `part` is the assembly. */
const OWN_EXPORT_HEADING = 'sub_part'

/**
 * Maps the columns of a table to fields by their headings, each field once; undefined for an unknown heading. A column that would name
 * components but only numbers the rows is not mapped. One with designators becomes the reference, if the table has neither references nor
 * quantities.
 */
export function mapColumns(headings: readonly string[], rows: readonly Cells[] = []): (HeadingField | undefined)[] {
  const isOwnExport = headings.includes(OWN_EXPORT_HEADING)
  const body = selectBodyRows(rows)
  const byHeading = headings.map((heading) => (isOwnExport && heading === 'part' ? undefined : findHeadingField(heading)))
  const countsReferences = !byHeading.some(
    (headingField) => headingField?.field === 'quantity' || headingField?.field === 'reference',
  )
  const candidates = byHeading.map((headingField, column) => {
    if (headingField?.field !== 'part' && headingField?.field !== 'part_name') return headingField
    const cells = body.map((row) => row[column] ?? null)
    if (areRunningNumbers(cells)) return undefined
    return countsReferences && isDesignatorColumn(cells) ? { ...headingField, field: 'reference' as const } : headingField
  })
  return candidates.map((headingField, column) => {
    const best = candidates.reduce((first, other, index) => {
      if (other?.field !== headingField?.field) return first
      return first < 0 || (other?.rank ?? 0) < (candidates[first]?.rank ?? 0) ? index : first
    }, -1)
    return best === column ? headingField?.field : undefined
  })
}
