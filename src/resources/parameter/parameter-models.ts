import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Access, changeRoles } from '../../kit/request/caller.ts'
import { quote } from '../../kit/sql/sql.ts'
import { buildOrder } from '../build/build.table.ts'
import { company } from '../company/company.table.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.table.ts'
import { supplierPart } from '../company/part/supplier-part.table.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { returnOrder } from '../order/ro/ro.table.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.table.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.table.ts'
import { partCategory } from '../part/category/part-category.table.ts'
import { part } from '../part/part.table.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'

/** A kind of object that has parameters. */
export type ParameterModel = {
  /** Its name on the wire, with the area in front. */
  model: string
  /** Path of its list. */
  path: string
  label: string
  table: () => PgTable & { pk: PgColumn }
  /** The column that names an object in errors. */
  nameColumn: string
  /** The roles with the permissions on the object, and on its parameters. */
  roles: readonly string[]
  access: Access
}

const define = (
  model: string,
  path: string,
  label: string,
  table: ParameterModel['table'],
  nameColumn: string,
  ...roles: string[]
): ParameterModel => ({
  model,
  path,
  label,
  table,
  nameColumn,
  roles,
  access: changeRoles(...roles),
})

/**
 * The kinds of objects that have parameters, by the column of `parameter` that refers to them. A further kind is a line here and a
 * migration; its list gets filters, orders and the field by `parameter-list.ts`.
 */
export const PARAMETER_MODELS = {
  part: define('part.part', '/api/part/', 'Part', () => part, 'name', 'part'),
  part_category: define(
    'part.partcategory',
    '/api/part/category/',
    'Part Category',
    () => partCategory,
    'pathstring',
    'part_category',
  ),
  company: define(
    'company.company',
    '/api/company/',
    'Company',
    () => company,
    'name',
    'purchase_order',
    'sales_order',
    'return_order',
  ),
  supplier_part: define(
    'company.supplierpart',
    '/api/company/part/',
    'Supplier Part',
    () => supplierPart,
    'SKU',
    'part',
    'purchase_order',
  ),
  manufacturer_part: define(
    'company.manufacturerpart',
    '/api/company/part/manufacturer/',
    'Manufacturer Part',
    () => manufacturerPart,
    'MPN',
    'part',
    'purchase_order',
  ),
  build_order: define('build.build', '/api/build/', 'Build Order', () => buildOrder, 'reference', 'build'),
  purchase_order: define(
    'order.purchaseorder',
    '/api/order/po/',
    'Purchase Order',
    () => purchaseOrder,
    'reference',
    'purchase_order',
  ),
  sales_order: define('order.salesorder', '/api/order/so/', 'Sales Order', () => salesOrder, 'reference', 'sales_order'),
  sales_order_shipment: define(
    'order.salesordershipment',
    '/api/order/so/shipment/',
    'Sales Order Shipment',
    () => salesOrderShipment,
    'reference',
    'sales_order',
  ),
  return_order: define('order.returnorder', '/api/order/ro/', 'Return Order', () => returnOrder, 'reference', 'return_order'),
  transfer_order: define(
    'order.transferorder',
    '/api/order/transfer-order/',
    'Transfer Order',
    () => transferOrder,
    'reference',
    'transfer_order',
  ),
  stock_location: define(
    'stock.stocklocation',
    '/api/stock/location/',
    'Stock Location',
    () => stockLocation,
    'pathstring',
    'stock_location',
  ),
} satisfies Record<string, ParameterModel>

/** The column of `parameter` that refers to one kind of object. */
export type ParameterOwner = keyof typeof PARAMETER_MODELS

export const PARAMETER_OWNERS = Object.keys(PARAMETER_MODELS) as readonly ParameterOwner[]

/** SQL of the name of a parameter's object, in statements that read `parameter`. */
export const selectObjectName = (): string =>
  `coalesce(${PARAMETER_OWNERS.map((owner) => {
    const { table, nameColumn } = PARAMETER_MODELS[owner]
    return `(select ${quote(nameColumn)} from ${quote(getTableName(table()))} object where object.pk = parameter.${owner})`
  }).join(', ')})`

/** Finds the kind that a client names, with or without its area: `part.partcategory`, `partcategory`. */
export function findParameterOwner(text: string): ParameterOwner | undefined {
  const name = text.trim().toLowerCase()
  return PARAMETER_OWNERS.find((owner) => {
    const { model } = PARAMETER_MODELS[owner]
    return model === name || model.slice(model.indexOf('.') + 1) === name
  })
}
