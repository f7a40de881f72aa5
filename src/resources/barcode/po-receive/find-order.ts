import type { ErrorMessage } from '../../../kit/values/message.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { isIdentifiedByGtin, type ResolvedLabel } from '../supplier-part.ts'

/** Returns the placed order that a label belongs to, or the reason why there is none. */
export function chooseOrder({ label, orders }: ResolvedLabel): ResolvedLabel['orders'][number] | ErrorMessage {
  const [order, another] = orders
  const number = label.customer_order_number || label.supplier_order_number || ''
  if (order === undefined)
    return number
      ? barcodeErrors.barcode_purchase_order_unknown({ reference: number })
      : barcodeErrors.barcode_without_purchase_order
  return another === undefined ? order : barcodeErrors.barcode_purchase_order_ambiguous({ reference: number })
}

/**
 * Limits a label that identifies its product only by a GTIN to the supplier of the order, since all suppliers of a product use the same GTIN.
 * Returns any other label unchanged.
 */
export function limitToSupplier(resolvedLabel: ResolvedLabel, supplier: number | null): ResolvedLabel {
  if (!isIdentifiedByGtin(resolvedLabel.label) || resolvedLabel.label.supplier !== undefined) return resolvedLabel
  return { ...resolvedLabel, label: { ...resolvedLabel.label, supplier: supplier ?? undefined } }
}
