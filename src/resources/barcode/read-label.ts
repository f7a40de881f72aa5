import { isObject } from '../../kit/values/json.ts'
import { toStorableText } from '../../kit/values/text.ts'
import { toGtin14 } from '../../notation/gs1/check-digit.ts'
import type { SupplierLabel } from '../../plugin-api/index.ts'

/** The text fields that a label may have. */
const TEXT_FIELDS = [
  'supplier_name',
  'supplier_part_number',
  'manufacturer_part_number',
  'customer_part_number',
  'manufacturer',
  'customer_order_number',
  'supplier_order_number',
  'purchase_order_line',
  'packing_list_number',
  'quantity',
  'net_measure',
  'lot_code',
  'serial_number',
  'date_code',
  'ship_date',
  'country_of_origin',
  'expiry_date',
] as const satisfies readonly Exclude<keyof SupplierLabel, 'supplier' | 'gtin'>[]

/** Maximum characters of a text field, the length of the longest code. */
const MAX_FIELD_CHARACTERS = 4_095

/** Validates the label that a plugin returned, on its own; plugins are not trusted. @throws Error with a readable message if it is invalid */
export function validateLabel(source: unknown): SupplierLabel {
  if (!isObject(source)) throw new Error('it read no label')
  const label: SupplierLabel = {}
  const { supplier } = source
  if (supplier !== undefined && supplier !== null) {
    if (!Number.isInteger(supplier) || Number(supplier) < 1 || Number(supplier) >= 2 ** 31)
      throw new Error('the supplier of its label is no key')
    label.supplier = supplier as number
  }
  if (source.gtin !== undefined && source.gtin !== null) {
    label.gtin = typeof source.gtin === 'string' ? toGtin14(source.gtin) : undefined
    if (!label.gtin) throw new Error('the gtin of its label is none')
  }
  for (const name of TEXT_FIELDS) {
    const value = source[name]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || [...value].length > MAX_FIELD_CHARACTERS)
      throw new Error(`the ${name} of its label is no text, or too long`)
    // a string that the database cannot store cannot be compared with stored ones
    label[name] = toStorableText(value)
  }
  return label
}
