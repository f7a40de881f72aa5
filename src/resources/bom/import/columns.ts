import { bomItem } from '../bom-item.resource.ts'
import { HEADINGS } from './headings.ts'

/** What a column of a table can be taken for: its heading, and what it means. */
export type ImportField = { label: string; help_text: string; required?: boolean }

/** Of the line itself, as the line explains them. */
const ofLine = (name: string): ImportField => {
  const { label, help = '' } = bomItem.fields[name] as { label?: string; help?: string }
  return { label: label ?? name.charAt(0).toUpperCase() + name.slice(1), help_text: help }
}

/** What columns of a table can be taken for when lines of a bill of materials are made of its rows. */
export const IMPORT_FIELDS: Readonly<Record<string, ImportField>> = {
  quantity: { required: true, ...ofLine('quantity') },
  reference: ofLine('reference'),
  overage: ofLine('overage'),
  allow_variants: ofLine('allow_variants'),
  inherited: ofLine('inherited'),
  optional: ofLine('optional'),
  consumable: ofLine('consumable'),
  note: ofLine('note'),
  part: { label: 'Part', help_text: 'The key or the name of the component.' },
  part_id: { label: 'Part ID', help_text: 'The key of the component.' },
  part_name: { label: 'Part Name', help_text: 'The name of the component.' },
  part_ipn: { label: 'Part IPN', help_text: 'The IPN of the component.' },
  level: { label: 'BOM Level', help_text: 'How deep below the assembly the row is: only rows of the first level become lines.' },
}

/** Each of these columns can name a component. */
export const PART_COLUMNS = ['part', 'part_id', 'part_name', 'part_ipn']

/** What a row says, without the cells that are empty: what is optional may be left out of a line, but not be null. */
export const filledIn = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null && !(typeof cell === 'string' && cell.trim() === '')))

/** The columns that the headings of a table are taken for, each once; undefined where a heading is not known. */
export function fieldsOf(headings: readonly string[]): (string | undefined)[] {
  const fields = headings.map(fieldOf)
  return fields.map((field, at) => (fields.indexOf(field) === at ? field : undefined))
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The field for which a column is taken by its heading, in capitals or not, and whatever stands between its words. */
const fieldOf = (heading: string): string | undefined =>
  Object.entries(IMPORT_FIELDS).find(([name, { label }]) =>
    [name, label, ...(HEADINGS[name] ?? [])].some((word) => plain(word) === plain(heading)),
  )?.[0]
