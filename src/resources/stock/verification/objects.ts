/** Kinds of objects that checks list: their tables, and the display name of the row `object`, in SQL. */
const objects: Record<string, { table: string; name: string }> = {
  build: { table: 'build_order', name: 'object.reference' },
  builditem: {
    table: 'build_allocation',
    name: `concat(
      (select b.reference from build_line line join build_order b on b.pk = line.build where line.pk = object.build_line),
      ', stock item ', object.stock_item
    )`,
  },
  buildline: {
    table: 'build_line',
    name: `concat(
      (select reference from build_order where pk = object.build), ', ', (select full_name from part where pk = object.part)
    )`,
  },
  company: { table: 'company', name: 'object.name' },
  manufacturerpart: { table: 'manufacturer_part', name: 'object."MPN"' },
  part: { table: 'part', name: 'object.full_name' },
  partcategory: { table: 'part_category', name: 'object.pathstring' },
  purchaseorder: { table: 'purchase_order', name: 'object.reference' },
  purchaseorderextraline: {
    table: 'purchase_order_extra_line',
    name: 'concat((select reference from purchase_order where pk = object."order"), \', extra line\')',
  },
  purchaseorderlineitem: {
    table: 'purchase_order_line',
    name: `concat(
      (select reference from purchase_order where pk = object."order"),
      ', ', (select "SKU" from supplier_part where pk = object.part)
    )`,
  },
  returnorder: { table: 'return_order', name: 'object.reference' },
  returnorderextraline: {
    table: 'return_order_extra_line',
    name: 'concat((select reference from return_order where pk = object."order"), \', extra line\')',
  },
  returnorderlineitem: {
    table: 'return_order_line',
    name: `concat((select reference from return_order where pk = object."order"), ', stock item ', object.item)`,
  },
  salesorder: { table: 'sales_order', name: 'object.reference' },
  salesorderallocation: {
    table: 'sales_order_allocation',
    name: `concat(
      (select o.reference from sales_order_line line join sales_order o on o.pk = line."order" where line.pk = object.line),
      ', stock item ', object.item
    )`,
  },
  salesorderextraline: {
    table: 'sales_order_extra_line',
    name: 'concat((select reference from sales_order where pk = object."order"), \', extra line\')',
  },
  salesorderlineitem: {
    table: 'sales_order_line',
    name: `concat(
      (select reference from sales_order where pk = object."order"), ', ', (select full_name from part where pk = object.part)
    )`,
  },
  salesordershipment: {
    table: 'sales_order_shipment',
    name: `concat((select reference from sales_order where pk = object."order"), ', shipment ', object.reference)`,
  },
  stockitem: {
    table: 'stock_item',
    name: `concat(
      (select full_name from part where pk = object.part),
      case when object.serial <> '' then ' #' || object.serial else ' × ' || trim_scale(object.quantity) end
    )`,
  },
  stockitemtracking: { table: 'stock_tracking', name: `concat('entry in the history of stock item ', object.item)` },
  stocklocation: { table: 'stock_location', name: 'object.pathstring' },
  table: { table: '(select oid::bigint as pk, relname from pg_class)', name: 'object.relname::text' },
  supplierpart: { table: 'supplier_part', name: 'object."SKU"' },
}

/** Returns the model of a table's objects. */
export function getModel(table: string): string {
  const entry = Object.entries(objects).find(([, object]) => object.table === table)
  if (!entry) throw new Error(`rows of ${table} have no name: verification/objects.ts`)
  return entry[0]
}

/** SQL of an object's display name, from `model` and `pk` of a row `listed`. */
export const objectNameExpression = `case listed.model ${Object.entries(objects)
  .map(([model, { table, name }]) => `when '${model}' then (select ${name} from ${table} object where object.pk = listed.pk)`)
  .join(' ')} end`
