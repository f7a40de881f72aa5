/** The data of a supplier's label. Missing data is absent; an empty value is an empty string. */
export type SupplierLabel = {
  /** The key of the supplier, if the plugin knows it. */
  supplier?: number
  /** Part of the name of the supplier, case-insensitive, if the key is unknown. It must match only one supplier. */
  supplier_name?: string
  /** The SKU of the supplier part. */
  supplier_part_number?: string
  /** The GTIN: 8, 12, 13 or 14 digits with a valid check digit. */
  gtin?: string
  manufacturer_part_number?: string
  /** The customer's part number, possibly the IPN of the part. A mismatch with another number is not an error. */
  customer_part_number?: string
  manufacturer?: string
  /** The customer's reference of the order. */
  customer_order_number?: string
  /** The supplier's reference of the order. */
  supplier_order_number?: string
  /** The line number of the order on the label. */
  purchase_order_line?: string
  packing_list_number?: string
  /** The quantity, in units of the supplier's price list; a decimal number. */
  quantity?: string
  /** The net weight, length, area or volume with its unit, such as `1.25 kg`; used for parts with a compatible unit. */
  net_measure?: string
  lot_code?: string
  serial_number?: string
  date_code?: string
  ship_date?: string
  /** The two-letter country code. */
  country_of_origin?: string
  /** `YYYY-MM-DD`. */
  expiry_date?: string
}

/** The field of each data identifier, by ANSI MH10.8.2 and the practice of distributors. */
const FIELDS: Readonly<Record<string, Exclude<keyof SupplierLabel, 'supplier' | 'gtin'>>> = {
  K: 'customer_order_number',
  '1K': 'supplier_order_number',
  '11K': 'packing_list_number',
  '6D': 'ship_date',
  '9D': 'date_code',
  '10D': 'date_code',
  '4K': 'purchase_order_line',
  '14K': 'purchase_order_line',
  P: 'supplier_part_number',
  '30P': 'supplier_part_number',
  '1P': 'manufacturer_part_number',
  '1T': 'lot_code',
  '4L': 'country_of_origin',
  '1V': 'manufacturer',
  Q: 'quantity',
  S: 'serial_number',
}

/** Converts data identifiers to label data. */
export function labelOf(identifiers: ReadonlyMap<string, string>): SupplierLabel {
  const label: SupplierLabel = {}
  for (const [identifier, value] of identifiers) {
    const field = FIELDS[identifier]
    if (field) label[field] = value
  }
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(identifiers.get('14D') ?? '') ?? []
  return day ? { ...label, expiry_date: `${year}-${month}-${day}` } : label
}
