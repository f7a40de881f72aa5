import type { RunQuery } from '../../../kit/sql/run-query.ts'
import type { SupplierLabel } from '../../../plugin-api/index.ts'
import { findOrders } from '../supplier-part.ts'

/**
 * A label that says no more of its article than a GTIN: all who sell the article have that one, so that the order says which of them
 * it came from. Any other label as it is.
 * @param order the order that is asked for; null for the one on the label
 */
export async function ofOrder(read: RunQuery, label: SupplierLabel, order: number | null): Promise<SupplierLabel> {
  if (!label.gtin || label.supplier !== undefined) return label
  const pk = order ?? (await findOrder(read, label))
  if (typeof pk === 'string') return label
  const [row] = await read<{ supplier: number | null }>('select supplier from purchase_order where pk = $1', [pk])
  return { ...label, supplier: row?.supplier ?? undefined }
}

/** The key of the placed order that a label is of. A text says why there is none. */
export async function findOrder(read: RunQuery, label: SupplierLabel): Promise<number | string> {
  const [order, another] = await findOrders(read, label)
  const number = label.customer_order_number || label.supplier_order_number
  if (order === undefined) return number ? `No matching purchase order for '${number}'` : 'The code names no purchase order'
  return another === undefined ? order : `Found multiple purchase orders matching '${number}'`
}
