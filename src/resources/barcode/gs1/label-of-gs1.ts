import type { SupplierLabel } from '../../../plugin-api/index.ts'
import { readGs1 } from './read-gs1.ts'

/**
 * What a code of GS1 says of a delivery, as the labels of suppliers do. A serial number stands for one article, where no count is
 * given; a logistic unit (SSCC) comes once, as a packing list does. Undefined when it is none of GS1, or names no article.
 */
export function labelOfGs1(text: string): SupplierLabel | undefined {
  const { gtin, batch, serial, expiry, count, measure, sscc, order } = readGs1(text) ?? {}
  if (gtin === undefined) return undefined
  const said: SupplierLabel = {
    gtin,
    lot_code: batch,
    serial_number: serial,
    expiry_date: expiry,
    quantity: count ?? (serial === undefined ? undefined : '1'),
    net_measure: measure,
    packing_list_number: sscc,
    customer_order_number: order,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}
