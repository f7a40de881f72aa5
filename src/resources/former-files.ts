import type { LegacyFile } from '../kit/definition/resource.ts'
import { countAssembliesUsing } from './bom/bom-lines.ts'
import { ACTIVE_STATES_SQL } from './build/build-status.ts'
import { allocatedSql } from './stock/allocated-quantities.ts'

/** Columns that have the names of their fields. */
const mapToSameName = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]))

/** The columns that the files of all types of orders have. */
const ORDER = {
  id: 'pk',
  reference_int: '{reference_int}',
  notes: 'notes',
  barcode_data: '{barcode_data}',
  barcode_hash: 'barcode_hash',
  total_price_currency: '{total_price_currency}',
  ...mapToSameName('total_price', 'order_currency', 'description'),
  project_code: '{project_code.code}',
  ...mapToSameName('link', 'target_date', 'creation_date'),
  created_by: '{created_by}',
  ...mapToSameName('responsible', 'contact', 'address', 'reference'),
}

const createExtraLinesFile = (name: string): LegacyFile => ({
  name,
  columns: {
    id: 'pk',
    ...mapToSameName('quantity', 'reference', 'notes', 'link'),
    target_date: '{target_date}',
    ...mapToSameName('description', 'context', 'price_currency', 'price', 'order'),
  },
})

/** Allocated quantity of a part and its variants. The variants are queried only if there are any, since few parts have variants. */
const allocated = `${allocatedSql((column) => `{part_quantity.${column}}`)}
  + case when exists (select {from part} variant where variant.variant_of = {pk}) then (
    select sum(${allocatedSql((column) => `q.${column}`)})
    {from part} variant {join part_quantity} q on q.pk = variant.pk where variant.path @> array[{pk}] and variant.pk <> {pk}
  ) else 0 end`

/** Quantity of a part still to be built. */
const remainingToBuild = `coalesce((
  select sum(greatest(b.quantity - b.completed, 0)) {from build_order} b where b.part = {pk} and b.status in ${ACTIVE_STATES_SQL}
), 0)`

/**
 * The files of lists that InvenTree exports (`?export=csv`): spreadsheets and scripts know their columns by these headings. InvenTree has no
 * files of other lists. Columns that are always empty in its files have the values here that their headings promise.
 */
export const FORMER_FILES = {
  parts: {
    name: 'InvenTree_Parts',
    columns: {
      'Part ID': 'pk',
      'Part Name': 'name',
      'Part Description': 'description',
      IPN: 'IPN',
      Revision: 'revision',
      Keywords: 'keywords',
      Link: 'link',
      Units: 'units',
      Notes: '{notes}',
      'Part Image': '{image}',
      'Category ID': 'category',
      'Category Name': '{category.name}',
      'Default Location ID': 'default_location',
      'Default Supplier ID': 'default_supplier',
      'Variant Of': 'variant_of',
      'Minimum Stock': 'minimum_stock',
      Active: 'active',
      Assembly: 'assembly',
      Component: 'component',
      Purchaseable: 'purchaseable',
      Salable: 'salable',
      Template: 'is_template',
      Trackable: 'trackable',
      Virtual: 'virtual',
      Suppliers: 'suppliers',
      'In Stock': 'total_in_stock',
      'On Order': 'ordering',
      'Used In': countAssembliesUsing('{pk}'),
      Allocated: allocated,
      Building: remainingToBuild,
      'Minimum Cost': '{part_pricing.overall_min}',
      'Maximum Cost': '{part_pricing.overall_max}',
      ...mapToSameName('tags', 'default_expiry', 'creation_date', 'creation_user'),
      responsible_owner: 'responsible',
      last_stocktake: 'last_stocktake',
      base_cost: '{base_cost}',
      multiple: '{multiple}',
    },
  },
  categories: {
    name: 'InvenTree_Categories',
    columns: {
      'Category ID': 'pk',
      'Category Name': 'name',
      Description: 'description',
      'Parent ID': 'parent',
      'Parent Name': '{parent.name}',
      'Default Location ID': 'default_location',
      Keywords: 'default_keywords',
      'Category Path': 'pathstring',
      Parts: 'part_count',
      structural: 'structural',
    },
  },
  stock: {
    name: 'InvenTree_StockItems',
    columns: {
      'Stock Item ID': 'pk',
      'Part ID': 'part',
      'Part Name': '{part.full_name}',
      Quantity: 'quantity',
      Serial: 'serial',
      Batch: 'batch',
      Status: 'status_text',
      'Status Code': 'status',
      'Location ID': 'location',
      'Location Name': '{location.name}',
      'Supplier Part ID': 'supplier_part',
      'Supplier ID': '{supplier_part.supplier}',
      'Supplier Name': '{supplier_part.supplier.name}',
      'Customer ID': 'customer',
      'Installed In': 'belongs_to',
      'Build ID': 'build',
      'Parent ID': '{parent}',
      'Sales Order ID': 'sales_order',
      'Purchase Order ID': 'purchase_order',
      Packaging: 'packaging',
      Link: 'link',
      Notes: '{notes}',
      // a capitalized word here, unlike in the API
      Building: 'initcap({is_building}::text)',
      'Review Needed': "'False'::text",
      'Delete on Deplete': 'initcap({delete_on_deplete}::text)',
      'Last Updated': "({updated} at time zone 'UTC')::date",
      Stocktake: 'stocktake_date',
      'Expiry Date': 'expiry_date',
      ...mapToSameName('tags', 'consumed_by'),
      stocktake_user: '{stocktake_user}',
      purchase_price_currency: 'purchase_price_currency',
      purchase_price: '{purchase_price}',
    },
  },
  locations: {
    name: 'InvenTree_Locations',
    columns: {
      'Location ID': 'pk',
      'Location Name': 'name',
      Description: 'description',
      'Parent ID': 'parent',
      'Parent Name': '{parent.name}',
      'Location Path': 'pathstring',
      'Stock Items': 'items',
      ...mapToSameName('tags', 'custom_icon', 'structural', 'external', 'location_type'),
    },
  },
  purchaseOrders: {
    name: 'InvenTree_PurchaseOrders',
    columns: {
      ...mapToSameName('line_items', 'overdue'),
      ...ORDER,
      ...mapToSameName('status', 'supplier', 'supplier_reference'),
      received_by: '{received_by}',
      ...mapToSameName('issue_date', 'complete_date'),
    },
  },
  purchaseOrderLines: {
    name: 'InvenTree_PurchaseOrderItems',
    columns: {
      part_name: '{part.part.name}',
      manufacturer: '{part.manufacturer_part.manufacturer.name}',
      MPN: '{part.manufacturer_part.MPN}',
      SKU: '{part.SKU}',
      destination: 'destination',
      id: 'pk',
      ...mapToSameName('quantity', 'reference', 'notes', 'link', 'target_date', 'order', 'part', 'received'),
      ...mapToSameName('purchase_price_currency', 'purchase_price'),
    },
  },
  purchaseOrderExtraLines: createExtraLinesFile('InvenTree_ExtraPurchaseOrderLines'),
  salesOrders: {
    name: 'InvenTree_SalesOrders',
    columns: {
      ...mapToSameName('line_items', 'overdue'),
      ...ORDER,
      ...mapToSameName('customer', 'status', 'customer_reference', 'shipment_date'),
      shipped_by: '{shipped_by}',
    },
  },
  salesOrderLines: {
    name: 'InvenTree_SalesOrderItems',
    columns: {
      part_name: '{part.name}',
      IPN: '{part.IPN}',
      description: '{part.description}',
      fulfilled: 'shipped',
      id: 'pk',
      ...mapToSameName('quantity', 'reference', 'notes', 'link', 'target_date', 'order', 'part'),
      ...mapToSameName('sale_price_currency', 'sale_price', 'shipped'),
    },
  },
  salesOrderExtraLines: createExtraLinesFile('InvenTree_ExtraSalesOrderLines'),
  returnOrders: {
    name: 'InvenTree_ReturnOrders',
    columns: { ...ORDER, ...mapToSameName('customer', 'status', 'customer_reference', 'issue_date', 'complete_date') },
  },
  buildOrders: {
    name: 'InvenTree_BuildOrders',
    columns: {
      id: 'pk',
      ...mapToSameName('reference', 'title', 'part'),
      part_name: '{part.full_name}',
      ...mapToSameName('overdue', 'completed', 'quantity', 'status', 'batch'),
      notes: '{notes}',
    },
  },
} satisfies Record<string, LegacyFile>
