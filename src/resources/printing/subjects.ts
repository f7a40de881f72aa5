import type { Resource } from '../../kit/definition/resource.ts'
import { type Access, roles } from '../../kit/request/caller.ts'
import type { TemplateKind } from '../../printing/kinds.ts'
import { buildOrder } from '../build/build.resource.ts'
import { buildLine } from '../build/line/build-line.resource.ts'
import { company } from '../company/company.resource.ts'
import { companyRoles } from '../company/company-roles.ts'
import { purchaseOrder } from '../order/po/po.resource.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.resource.ts'
import { part } from '../part/part.resource.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { stockItem } from '../stock/stock-item.resource.ts'

/** The objects that the templates of a kind print, and who can see and change the templates. */
export type Subject = {
  /** The parameters for one object and for several. Either takes one or many. */
  item: string
  items: string
  /** Name of the printed objects, for messages. */
  object: string
  /** Permissions to see and change its templates. */
  access: Access
  /** The resource that requests name and `filters` restrict. */
  objects: Resource
  /** Other resources shown in the document, which the user who prints must be allowed to view. */
  shows?: readonly Resource[]
  /** Folder of its templates' files. */
  folder: string
}

const subject = (
  item: string,
  object: string,
  objects: Resource,
  access: Access,
  folder: string,
  more: Partial<Subject> = {},
): Subject => ({ item, items: `${item}s`, object, access, objects, folder, ...more })

/** The printed objects for each kind of template. */
const subjects: Record<TemplateKind, Subject> = {
  'label/part': subject('part', 'part', part, roles('part'), 'part'),
  'label/stock': subject('item', 'stock item', stockItem, roles('stock'), 'stockitem'),
  'label/location': subject('location', 'stock location', stockLocation, roles('stock_location'), 'stocklocation'),
  'label/build': subject('build', 'build order', buildOrder, roles('build'), 'build'),
  'label/buildline': subject('line', 'build line', buildLine, roles('build'), 'buildline'),
  'label/company': subject('company', 'company', company, companyRoles, 'company'),
  'label/po': subject('order', 'purchase order', purchaseOrder, roles('purchase_order'), 'purchaseorder'),
  'label/so': subject('order', 'sales order', salesOrder, roles('sales_order'), 'salesorder'),
  'label/shipment': subject('shipment', 'shipment', salesOrderShipment, roles('sales_order'), 'salesordershipment'),
  'label/ro': subject('order', 'return order', returnOrder, roles('return_order'), 'returnorder'),
  'label/transfer-order': subject('order', 'transfer order', transferOrder, roles('transfer_order'), 'transferorder'),
  'report/bom': subject('part', 'bill of materials', part, roles('part'), 'bom'),
  'report/build': subject('build', 'build order', buildOrder, roles('build'), 'build'),
  'report/buildline': subject('line', 'build line', buildLine, roles('build'), 'buildline'),
  'report/company': subject('company', 'company', company, companyRoles, 'company'),
  'report/po': subject('order', 'purchase order', purchaseOrder, roles('purchase_order', 'admin'), 'purchaseorder'),
  'report/so': subject('order', 'sales order', salesOrder, roles('sales_order', 'admin'), 'salesorder'),
  'report/shipment': subject('shipment', 'shipment', salesOrderShipment, roles('sales_order'), 'salesordershipment'),
  'report/ro': subject('order', 'return order', returnOrder, roles('return_order'), 'returnorder'),
  'report/transfer-order': subject('order', 'transfer order', transferOrder, roles('transfer_order'), 'transferorder'),
  'report/slr': subject('location', 'stock location', stockLocation, roles('stock_location'), 'slr', { shows: [stockItem] }),
  'report/test': subject('item', 'stock item', stockItem, roles('stock'), 'test'),
}

export const getSubject = (kind: TemplateKind): Subject => subjects[kind]
