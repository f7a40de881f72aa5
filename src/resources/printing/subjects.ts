import type { Resource } from '../../kit/definition/resource.ts'
import { type Access, roles } from '../../kit/request/caller.ts'
import type { TemplateKind } from '../../printing/kinds.ts'
import { buildOrder } from '../build/build.resource.ts'
import { buildLine } from '../build/line/build-line.resource.ts'
import { purchaseOrder } from '../order/po/po.resource.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { part } from '../part/part.resource.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { stockItem } from '../stock/stock-item.resource.ts'

/** The objects that the templates of a kind print, and who may see and change the templates. */
export type Subject = {
  /** The parameters for one object and for several. Either takes one or many. */
  item: string
  items: string
  /** Name of the printed objects, for messages. */
  object: string
  /** Rights to see and change its templates. */
  access: Access
  /** The resource that requests name and `filters` restrict. */
  objects: Resource
  /** Other resources shown in the document, which the user who prints must be allowed to view. */
  shows?: readonly Resource[]
  /** Folder of its templates' files. */
  folder: string
}

const itemNames = (item: string) => ({ item, items: `${item}s` })

/** The printed objects for each kind of template. */
const subjects: Record<TemplateKind, Subject> = {
  'label/part': { ...itemNames('part'), object: 'part', access: roles('part'), objects: part, folder: 'part' },
  'label/stock': { ...itemNames('item'), object: 'stock item', access: roles('stock'), objects: stockItem, folder: 'stockitem' },
  'label/location': {
    ...itemNames('location'),
    object: 'stock location',
    access: roles('stock_location'),
    objects: stockLocation,
    folder: 'stocklocation',
  },
  'label/buildline': {
    ...itemNames('line'),
    object: 'build line',
    access: roles('build'),
    objects: buildLine,
    folder: 'buildline',
  },
  'report/bom': {
    ...itemNames('part'),
    object: 'bill of materials',
    access: roles('part'),
    objects: part,
    folder: 'bom',
  },
  'report/build': { ...itemNames('build'), object: 'build order', access: roles('build'), objects: buildOrder, folder: 'build' },
  'report/po': {
    ...itemNames('order'),
    object: 'purchase order',
    access: roles('purchase_order', 'admin'),
    objects: purchaseOrder,
    folder: 'purchaseorder',
  },
  'report/ro': {
    ...itemNames('order'),
    object: 'return order',
    access: roles('return_order'),
    objects: returnOrder,
    folder: 'returnorder',
  },
  'report/slr': {
    ...itemNames('location'),
    object: 'stock location',
    access: roles('stock_location'),
    objects: stockLocation,
    shows: [stockItem],
    folder: 'slr',
  },
  'report/so': {
    ...itemNames('order'),
    object: 'sales order',
    access: roles('sales_order', 'admin'),
    objects: salesOrder,
    folder: 'salesorder',
  },
  'report/test': {
    ...itemNames('item'),
    object: 'stock item',
    access: roles('stock'),
    objects: stockItem,
    folder: 'test',
  },
}

export const getSubject = (kind: TemplateKind): Subject => subjects[kind]
