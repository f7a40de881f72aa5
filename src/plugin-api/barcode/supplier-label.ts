/** What stands on a supplier's label. What it does not say is absent; what it leaves empty is an empty text. */
export type SupplierLabel = {
  /** The key of the company whose label it is, where the plugin knows. */
  supplier?: number
  /** Where it does not know the key: a name that the only supplier whose name holds it, whatever its case, is then known by. */
  supplier_name?: string
  /** The supplier's number of the article, which is the SKU of the supplier part. */
  supplier_part_number?: string
  /** The number of the article that GS1 gave its maker, of 8, 12, 13 or 14 digits with a right check digit. */
  gtin?: string
  manufacturer_part_number?: string
  /** The number of the article as its buyer has it, which may be the IPN of the part. It never speaks against another number. */
  customer_part_number?: string
  manufacturer?: string
  /** The reference of the order, as its buyer has it. */
  customer_order_number?: string
  /** The reference of the order, as the supplier has it. */
  supplier_order_number?: string
  /** The line of the order, as the label counts them. */
  purchase_order_line?: string
  packing_list_number?: string
  /** How many, in units of the supplier's price list; a decimal number. */
  quantity?: string
  /** The net weight, length, area or volume with its unit, such as `1.25 kg`; it counts for parts that are counted in such a unit. */
  net_measure?: string
  lot_code?: string
  serial_number?: string
  date_code?: string
  ship_date?: string
  /** Two letters. */
  country_of_origin?: string
  /** `YYYY-MM-DD`. */
  expiry_date?: string
}

/** What each data identifier is, as ANSI MH10.8.2 lists them and distributors use them. */
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

/** Data identifiers as what they say of a delivery. */
export function labelOf(identifiers: ReadonlyMap<string, string>): SupplierLabel {
  const label: SupplierLabel = {}
  for (const [identifier, value] of identifiers) {
    const field = FIELDS[identifier]
    if (field) label[field] = value
  }
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(identifiers.get('14D') ?? '') ?? []
  return day ? { ...label, expiry_date: `${year}-${month}-${day}` } : label
}
