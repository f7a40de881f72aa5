import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Access, roles } from '../../kit/request/caller.ts'
import { buildOrder } from '../build/build.table.ts'
import { company } from '../company/company.table.ts'
import { companyRoles } from '../company/company-roles.ts'
import { companyPartRoles } from '../company/part/company-part-roles.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.table.ts'
import { supplierPart } from '../company/part/supplier-part.table.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { returnOrder } from '../order/ro/ro.table.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.table.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.table.ts'
import { part } from '../part/part.table.ts'
import { stockItem } from '../stock/stock-item.table.ts'

/** A kind of object that has attachments. */
type AttachmentModel = {
  /** Its name on the wire. */
  model: string
  label: string
  table: () => PgTable & { pk: PgColumn }
  /** The permissions on the object, which are those on its attachments. */
  access: Access
}

const define = (model: string, label: string, table: AttachmentModel['table'], access: Access): AttachmentModel => ({
  model,
  label,
  table,
  access,
})

/**
 * The kinds of objects that have attachments, by the column of `attachment` that refers to them. A further kind is a line here and a
 * migration (`npm run migrations`).
 */
export const ATTACHMENT_MODELS = {
  part: define('part', 'Part', () => part, roles('part')),
  stock_item: define('stockitem', 'Stock Item', () => stockItem, roles('stock')),
  company: define('company', 'Company', () => company, companyRoles),
  supplier_part: define('supplierpart', 'Supplier Part', () => supplierPart, companyPartRoles),
  manufacturer_part: define('manufacturerpart', 'Manufacturer Part', () => manufacturerPart, companyPartRoles),
  build_order: define('build', 'Build Order', () => buildOrder, roles('build')),
  purchase_order: define('purchaseorder', 'Purchase Order', () => purchaseOrder, roles('purchase_order')),
  sales_order: define('salesorder', 'Sales Order', () => salesOrder, roles('sales_order')),
  sales_order_shipment: define('salesordershipment', 'Sales Order Shipment', () => salesOrderShipment, roles('sales_order')),
  return_order: define('returnorder', 'Return Order', () => returnOrder, roles('return_order')),
  transfer_order: define('transferorder', 'Transfer Order', () => transferOrder, roles('transfer_order')),
} satisfies Record<string, AttachmentModel>

/** The column of `attachment` that refers to one kind of object. */
export type AttachmentOwner = keyof typeof ATTACHMENT_MODELS

export const ATTACHMENT_OWNERS = Object.keys(ATTACHMENT_MODELS) as readonly AttachmentOwner[]

/** The kind of object with this name on the wire. */
export const findAttachmentOwner = (model: unknown): AttachmentOwner | undefined =>
  ATTACHMENT_OWNERS.find((owner) => ATTACHMENT_MODELS[owner].model === model)
