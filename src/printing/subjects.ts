import type { Resource } from '../kit/definition/resource.ts'
import { type Access, roles } from '../kit/request/caller.ts'
import { buildOrder } from '../resources/build/build.resource.ts'
import { buildLine } from '../resources/build/line/build-line.resource.ts'
import { purchaseOrder } from '../resources/order/po/po.resource.ts'
import { returnOrder } from '../resources/order/ro/ro.resource.ts'
import { salesOrder } from '../resources/order/so/so.resource.ts'
import { part } from '../resources/part/part.resource.ts'
import { stockLocation } from '../resources/stock/location/stock-location.resource.ts'
import { stockItem } from '../resources/stock/stock-item.resource.ts'
import type { TemplateKind } from './kinds.ts'

/** What the templates of a kind print, and who may see and change them. */
export type Subject = {
  /** The parameter that names one object, and the one that names several. Either takes one or many. */
  item: string
  items: string
  /** What is printed, in words. */
  object: string
  /** Who may see and change its templates. */
  access: Access
  /** The objects that are named and that `filters` are about. */
  objects: Resource
  /** What else stands in it, which whoever prints it must be allowed to see. */
  shows?: readonly Resource[]
  /** Files of its templates are in the folder of this name. */
  folder: string
}

const items = (item: string) => ({ item, items: `${item}s` })

/** What the templates of each kind print. */
const subjects: Record<TemplateKind, Subject> = {
  'label/part': { ...items('part'), object: 'part', access: roles('part'), objects: part, folder: 'part' },
  'label/stock': { ...items('item'), object: 'stock item', access: roles('stock'), objects: stockItem, folder: 'stockitem' },
  'label/location': {
    ...items('location'),
    object: 'stock location',
    access: roles('stock_location'),
    objects: stockLocation,
    folder: 'stocklocation',
  },
  'label/buildline': {
    ...items('line'),
    object: 'build line',
    access: roles('build'),
    objects: buildLine,
    folder: 'buildline',
  },
  'report/bom': {
    ...items('part'),
    object: 'bill of materials',
    access: roles('part'),
    objects: part,
    folder: 'bom',
  },
  'report/build': { ...items('build'), object: 'build order', access: roles('build'), objects: buildOrder, folder: 'build' },
  'report/po': {
    ...items('order'),
    object: 'purchase order',
    access: roles('purchase_order', 'admin'),
    objects: purchaseOrder,
    folder: 'purchaseorder',
  },
  'report/ro': {
    ...items('order'),
    object: 'return order',
    access: roles('return_order'),
    objects: returnOrder,
    folder: 'returnorder',
  },
  'report/slr': {
    ...items('location'),
    object: 'stock location',
    access: roles('stock_location'),
    objects: stockLocation,
    shows: [stockItem],
    folder: 'slr',
  },
  'report/so': {
    ...items('order'),
    object: 'sales order',
    access: roles('sales_order', 'admin'),
    objects: salesOrder,
    folder: 'salesorder',
  },
  'report/test': {
    ...items('item'),
    object: 'stock item',
    access: roles('stock'),
    objects: stockItem,
    folder: 'test',
  },
}

export const subjectOf = (kind: TemplateKind): Subject => subjects[kind]
