import type { ErrorMessage } from '../../../kit/values/message.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { isByGtin, type KnownLabel } from '../supplier-part.ts'

/** Returns the placed order that a label belongs to, or the reason why there is none. */
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
 * Narrows a label that identifies its article only by a GTIN to the supplier of the order, since everyone who sells the article uses the
 * same GTIN. Returns any other label unchanged.
 */
export function ofOrder(known: KnownLabel, supplier: number | null): KnownLabel {
  if (!isByGtin(known.label) || known.label.supplier !== undefined) return known
  return { ...known, label: { ...known.label, supplier: supplier ?? undefined } }
}
