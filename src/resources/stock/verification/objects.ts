import { webPageSql } from '../../../web-pages.ts'

/**
 * Kinds of objects that checks list: their tables, the display name of the row `object`, and its page in web interfaces, in SQL. Lines and
 * allocations are on the page of their order.
 */
const objects: Record<string, { table: string; name: string; page?: string }> = {
  build: { table: 'build_order', name: 'object.reference', page: webPageSql('/api/build/', 'object.pk') },
  builditem: {
    table: 'build_allocation',
    name: `concat(
      (select b.reference from build_line line join build_order b on b.pk = line.build where line.pk = object.build_line),
      ', stock item ', object.stock_item
    )`,
    page: webPageSql('/api/build/', '(select build from build_line where pk = object.build_line)'),
  },
  buildline: {
    table: 'build_line',
    name: `concat(
      (select reference from build_order where pk = object.build), ', ', (select full_name from part where pk = object.part)
    )`,
    page: webPageSql('/api/build/', 'object.build'),
  },
  company: { table: 'company', name: 'object.name', page: webPageSql('/api/company/', 'object.pk') },
  manufacturerpart: { table: 'manufacturer_part', name: 'object."MPN"' },
  part: { table: 'part', name: 'object.full_name', page: webPageSql('/api/part/', 'object.pk') },
  partcategory: { table: 'part_category', name: 'object.pathstring', page: webPageSql('/api/part/category/', 'object.pk') },
  purchaseorder: { table: 'purchase_order', name: 'object.reference', page: webPageSql('/api/order/po/', 'object.pk') },
  purchaseorderextraline: {
    table: 'purchase_order_extra_line',
    name: 'concat((select reference from purchase_order where pk = object."order"), \', extra line\')',
    page: webPageSql('/api/order/po/', 'object."order"'),
  },
  purchaseorderlineitem: {
    table: 'purchase_order_line',
    name: `concat(
      (select reference from purchase_order where pk = object."order"),
      ', ', (select "SKU" from supplier_part where pk = object.part)
    )`,
    page: webPageSql('/api/order/po/', 'object."order"'),
  },
  returnorder: { table: 'return_order', name: 'object.reference', page: webPageSql('/api/order/ro/', 'object.pk') },
  returnorderextraline: {
    table: 'return_order_extra_line',
    name: 'concat((select reference from return_order where pk = object."order"), \', extra line\')',
    page: webPageSql('/api/order/ro/', 'object."order"'),
  },
  returnorderlineitem: {
    table: 'return_order_line',
    name: `concat((select reference from return_order where pk = object."order"), ', stock item ', object.item)`,
    page: webPageSql('/api/order/ro/', 'object."order"'),
  },
  salesorder: { table: 'sales_order', name: 'object.reference', page: webPageSql('/api/order/so/', 'object.pk') },
  salesorderallocation: {
    table: 'sales_order_allocation',
    name: `concat(
      (select o.reference from sales_order_line line join sales_order o on o.pk = line."order" where line.pk = object.line),
      ', stock item ', object.item
    )`,
    page: webPageSql('/api/order/so/', '(select "order" from sales_order_line where pk = object.line)'),
  },
  salesorderextraline: {
    table: 'sales_order_extra_line',
    name: 'concat((select reference from sales_order where pk = object."order"), \', extra line\')',
    page: webPageSql('/api/order/so/', 'object."order"'),
  },
  salesorderlineitem: {
    table: 'sales_order_line',
    name: `concat(
      (select reference from sales_order where pk = object."order"), ', ', (select full_name from part where pk = object.part)
    )`,
    page: webPageSql('/api/order/so/', 'object."order"'),
  },
  salesordershipment: {
    table: 'sales_order_shipment',
    name: `concat((select reference from sales_order where pk = object."order"), ', shipment ', object.reference)`,
    page: webPageSql('/api/order/so/', 'object."order"'),
  },
  transferorder: { table: 'transfer_order', name: 'object.reference' },
  transferorderallocation: {
    table: 'transfer_order_allocation',
    name: `concat(
      (select o.reference from transfer_order_line line join transfer_order o on o.pk = line."order" where line.pk = object.line),
      ', stock item ', object.item
    )`,
  },
  transferorderlineitem: {
    table: 'transfer_order_line',
    name: `concat(
      (select reference from transfer_order where pk = object."order"), ', ', (select full_name from part where pk = object.part)
    )`,
  },
  stockitem: {
    table: 'stock_item',
    name: `concat(
      (select full_name from part where pk = object.part),
      case when object.serial <> '' then ' #' || object.serial else ' × ' || trim_scale(object.quantity) end
    )`,
    page: webPageSql('/api/stock/', 'object.pk'),
  },
  stockitemtracking: {
    table: 'stock_tracking',
    name: `case when object.item is null then concat('entry in the history of part ', object.part)
      else concat('entry in the history of stock item ', object.item) end`,
    page: webPageSql('/api/stock/', 'object.item'),
  },
  stocklocation: { table: 'stock_location', name: 'object.pathstring', page: webPageSql('/api/stock/location/', 'object.pk') },
  table: { table: '(select oid::bigint as pk, relname from pg_class)', name: 'object.relname::text' },
  supplierpart: { table: 'supplier_part', name: 'object."SKU"', page: webPageSql('/api/company/part/', 'object.pk') },
}

/** Returns the model of a table's objects. */
export function getModel(table: string): string {
  const entry = Object.entries(objects).find(([, object]) => object.table === table)
  if (!entry) throw new Error(`rows of ${table} have no name: verification/objects.ts`)
  return entry[0]
}

/** SQL of a value of an object, from `model` and `pk` of a row `listed`; null for kinds without it. */
const selectOfObject = (value: 'name' | 'page'): string =>
  `case listed.model ${Object.entries(objects)
    .map(
      ([model, object]) =>
        `when '${model}' then (select ${object[value] ?? 'null'} from ${object.table} object where object.pk = listed.pk)`,
    )
    .join(' ')} end`

/** SQL of an object's display name, from `model` and `pk` of a row `listed`. */
export const objectNameExpression = selectOfObject('name')
/** SQL of an object's page. */
export const objectPageExpression = selectOfObject('page')
