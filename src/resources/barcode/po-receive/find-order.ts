import type { ErrorMessage } from '../../../kit/values/message.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { isByGtin, type KnownLabel } from '../supplier-part.ts'

/** The placed order that a label is of, or why there is none. */
export function orderOf({ label, orders }: KnownLabel): KnownLabel['orders'][number] | ErrorMessage {
  const [order, another] = orders
  const number = label.customer_order_number || label.supplier_order_number || ''
  if (order === undefined)
    return number
      ? barcodeErrors.barcode_purchase_order_unknown({ reference: number })
      : barcodeErrors.barcode_without_purchase_order
  return another === undefined ? order : barcodeErrors.barcode_purchase_order_ambiguous({ reference: number })
}

/**
 * A label that says no more of its article than a GTIN: all who sell the article have that one, so that the order says which of them
 * it came from. Any other label as it is.
 */
export function ofOrder(known: KnownLabel, supplier: number | null): KnownLabel {
  if (!isByGtin(known.label) || known.label.supplier !== undefined) return known
  return { ...known, label: { ...known.label, supplier: supplier ?? undefined } }
}
