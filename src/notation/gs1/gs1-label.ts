import type { SupplierLabel } from '../../plugin-api/barcode/index.ts'
import { parseGs1 } from './gs1-code.ts'

/**
 * Converts a GS1 code to the fields of a supplier's label. A serial number means a quantity of 1, unless a count is given; a logistic unit
 * (SSCC) is received once, like a packing list. Undefined when it is not a GS1 code, or has no GTIN.
 */
export function parseGs1Label(text: string): SupplierLabel | undefined {
  const { gtin, batch, serial, expiry, count, measure, sscc, order } = parseGs1(text) ?? {}
  if (gtin === undefined) return undefined
  const label: SupplierLabel = {
    gtin,
    lot_code: batch,
    serial_number: serial,
    expiry_date: expiry,
    quantity: count ?? (serial === undefined ? undefined : '1'),
    net_measure: measure,
    packing_list_number: sscc,
    customer_order_number: order,
  }
  return Object.fromEntries(Object.entries(label).filter(([, value]) => value !== undefined))
}
