import type { SupplierLabel } from '../../../plugin-api/index.ts'
import type { Read } from '../linked.ts'
import { findOrders } from '../supplier-part.ts'

/** The key of the placed order that a label is of. A text says why there is none. */
export async function findOrder(read: Read, label: SupplierLabel): Promise<number | string> {
  const [order, another] = await findOrders(read, label)
  const number = label.customer_order_number || label.supplier_order_number
  if (order === undefined) return number ? `No matching purchase order for '${number}'` : 'The code names no purchase order'
  return another === undefined ? order : `Found multiple purchase orders matching '${number}'`
}
