import { getTableName } from 'drizzle-orm'
import type { Resource } from '../../kit/definition/resource.ts'
import type { Caller, Right } from '../../kit/request/caller.ts'
import { quote } from '../../kit/sql/sql.ts'
import { buildOrder } from '../build/build.resource.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.resource.ts'
import { supplierPart } from '../company/part/supplier-part.resource.ts'
import { purchaseOrder } from '../order/po/po.resource.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.resource.ts'
import { part } from '../part/part.resource.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { stockItem } from '../stock/stock-item.resource.ts'

/** A type of object that a barcode may stand for. */
export type BarcodeKind = {
  /** Its name in codes, bodies and responses. */
  key: string
  /** Its name in words. */
  label: string
  /** Heading of its field on forms, as existing clients know it. */
  heading: string
  /** Resource of its objects: callers who can view or change them may scan them or link codes to them. */
  resource: Resource
  /** Name of its table, quoted. */
  table: string
}

const defineKind = (key: string, label: string, resource: Resource, heading = label): BarcodeKind => ({
  key,
  label,
  heading,
  resource,
  table: quote(getTableName(resource.table)),
})

/** All types, by precedence: where a code could stand for objects of several, the first counts. */
export const kinds: readonly BarcodeKind[] = [
  defineKind('build', 'build order', buildOrder, 'Build Order'),
  defineKind('supplierpart', 'supplier part', supplierPart),
  defineKind('manufacturerpart', 'manufacturer part', manufacturerPart),
  defineKind('purchaseorder', 'purchase order', purchaseOrder),
  defineKind('salesorder', 'sales order', salesOrder),
  defineKind('salesordershipment', 'sales order shipment', salesOrderShipment),
  defineKind('returnorder', 'return order', returnOrder),
  defineKind('transferorder', 'transfer order', transferOrder),
  defineKind('part', 'part', part, 'Part'),
  defineKind('stockitem', 'stock item', stockItem),
  defineKind('stocklocation', 'stock location', stockLocation, 'Stock Location'),
]

/** Finds the type by its key. */
export const findKind = (key: string): BarcodeKind | undefined => kinds.find((candidate) => candidate.key === key)

/** The types whose objects a caller can view, or change. */
export const listKindsFor = (caller: Caller, right: Right): readonly BarcodeKind[] =>
  kinds.filter(({ resource }) => resource.access(caller, right))

/** The keys of all types in bodies, by precedence. */
export const kindKeys: readonly string[] = kinds.map(({ key }) => key)
