import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import { boolean } from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { tagSearch, tags } from '../../kit/definition/tags.ts'
import { pathDetail } from '../../kit/definition/tree.ts'
import { roles } from '../../kit/request/caller.ts'
import { supplierPartDetail } from '../company/part/supplier-part.resource.ts'
import { CURRENCIES, defaultCurrency } from '../currency/rates.ts'
import { partBrief } from '../part/part.resource.ts'
import { setting } from '../settings/live.ts'
import { ownerRef } from '../user/owner/owner.resource.ts'
import { laterReference } from './later-reference.ts'
import { locationBrief } from './location/stock-location.resource.ts'
import { batchCode } from './serial/batch-code.ts'
import { EXPIRED, STALE, stockItemFilters } from './stock-item.filters.ts'
import { stockItem as table } from './stock-item.table.ts'
import { changeStockItem, recordStockItemChange } from './stock-item-change.ts'
import { lockStock } from './stock-item-rules.ts'
import { STOCK_STATUS_CHOICES } from './stock-status.ts'

const STOCK = '/api/stock/'
const NullableText = Type.Union([Type.String(), Type.Null()])

/** Some quantity of a part, in one place and one state. New items are made by `create-stock.action.ts`. */
export const stockItem = resource({
  path: STOCK,
  name: 'Stock item',
  model: 'stockitem',
  table,
  access: roles('stock'),
  without: ['create'],
  bulkDelete: true,
  fields: {
    batch: f.column(table.batch, { filter: 'iexact', search: true, order: true, label: 'Batch Code' }),
    belongs_to: f.ref(table.belongs_to, { filter: true, model: 'stockitem', address: STOCK, label: 'Installed In' }),
    build: laterReference(table.build, 'build', '/api/build/', 'Source Build'),
    consumed_by: laterReference(table.consumed_by, 'build', '/api/build/'),
    customer: f.ref(table.customer, {
      filter: true,
      where: '{is_customer}',
      filters: { is_customer: true },
      model: 'company',
      address: '/api/company/',
    }),
    delete_on_deplete: f.column(table.delete_on_deplete),
    expiry_date: f.column(table.expiry_date, { order: true }),
    is_building: f.column(table.is_building, { filter: true }),
    link: link(table.link, { label: 'External Link' }),
    location: f.ref(table.location, { model: 'stocklocation', address: '/api/stock/location/', label: 'Stock Location' }),
    location_detail: f.nested(table.location, () => locationBrief(), { flag: { name: 'location_detail', detail: true } }),
    location_path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('stock_location', '{location.path}'),
      { flag: { name: 'path_detail' } },
    ),
    notes: notes(table.notes),
    owner: ownerRef(table.owner, {
      label: 'Owner',
      help: 'Who the item belongs to: an account or a group, by its key in `/api/user/owner/`; null for nobody in particular.',
    }),
    packaging: f.column(table.packaging),
    part: f.ref(table.part, {
      required: true,
      where: 'not {virtual}',
      filters: { virtual: false },
      model: 'part',
      address: '/api/part/',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail', detail: true } }),
    purchase_order: f.ref(table.purchase_order, {
      filter: true,
      model: 'purchaseorder',
      address: '/api/order/po/',
      label: 'Source Purchase Order',
    }),
    purchase_order_reference: f.computed(NullableText, '{purchase_order.reference}', { type: 'string' }),
    pk: f.pk(table.pk),
    quantity: f.column(table.quantity, { required: true, min: 0, order: true }),
    sales_order: laterReference(table.sales_order, 'salesorder', '/api/order/so/', 'Destination Sales Order'),
    sales_order_reference: f.computed(NullableText, 'null::text', { type: 'string' }),
    serial: f.column(table.serial, { filter: true, search: true, label: 'Serial Number' }),
    status: f.column(table.status, {
      choices: () => STOCK_STATUS_CHOICES,
      filter: { kind: 'number', sql: '{status} = {@value}' },
      order: true,
    }),
    status_text: f.label(table.status, STOCK_STATUS_CHOICES),
    stocktake_date: f.readonly(table.stocktake_date, { order: true }),
    supplier_part: f.ref(table.supplier_part, { filter: true, model: 'supplierpart', address: '/api/company/part/' }),
    supplier_part_detail: f.nested(table.supplier_part, () => supplierPartDetail(), {
      flag: { name: 'supplier_part_detail', detail: true },
    }),
    barcode_hash: barcodeHash(table.barcode_hash),
    updated: f.readonly(table.updated, { order: true }),
    purchase_price: f.column(table.purchase_price),
    purchase_price_currency: f.column(table.purchase_price_currency, {
      choices: () => CURRENCIES,
      default: defaultCurrency,
      label: 'Currency',
    }),
    /** Whether the quantity and price of a new item are those of packs. */
    use_pack_size: f.writeOnly({ ...boolean({ nullable: true }), emptyIsNull: true }),
    /** What sales and build orders have put by. Nothing yet. */
    allocated: f.computed(Type.Number(), '0'),
    expired: f.computed(Type.Boolean(), `coalesce(${EXPIRED}, false)`),
    installed_items: f.computed(Type.Integer(), '(select count(*) from stock_item inside where inside.belongs_to = {pk})'),
    child_items: f.computed(
      Type.Integer(),
      // few items are ever split: those that are not need no walk down the tree
      `case when exists (select from stock_item child where child.parent = {pk}) then
        (with recursive split (pk) as (select pk from stock_item where parent = {pk} union select item.pk from stock_item item join split on item.parent = split.pk) select count(*) from split)
      else 0 end`,
    ),
    stale: f.computed(Type.Boolean(), `coalesce(${STALE}, false)`),
    tracking_items: f.computed(Type.Integer(), '(select count(*) from stock_tracking entry where entry.item = {pk})'),
    tags: tags(table.tags),
  },
  parameters: { stale_days: (services) => setting(services, 'STOCK_STALE_DAYS') },
  filters: stockItemFilters,
  search: ['{part.name}', '{part.IPN}', '{part.description}', '{location.name}', tagSearch],
  order: {
    location: ['{location.pathstring}'],
    part__name: ['{part.name}'],
    part__IPN: ['{part.IPN}'],
    stock: ['{quantity}', '{serial_int}', '{serial}'],
    SKU: ['{supplier_part.SKU}'],
  },
  defaultOrder: ['part__name', 'quantity', 'location'],
  suggested: async (services) => ({ batch: batchCode(setting(services, 'STOCK_BATCH_CODE_TEMPLATE'), new Date()) }),
  constraints: { stock_item_belongs_to_check: { belongs_to: ['An item cannot be installed in itself.'] } },
  locksFirst: lockStock,
  rules: changeStockItem,
  updated: recordStockItemChange,
})

/** A stock item inside another object: its own columns, and nothing that is counted. */
export const stockItemBrief = f.brief(
  () => stockItem,
  [
    'batch',
    'belongs_to',
    'build',
    'consumed_by',
    'customer',
    'delete_on_deplete',
    'expiry_date',
    'is_building',
    'link',
    'location',
    'notes',
    'owner',
    'packaging',
    'part',
    'purchase_order',
    'pk',
    'quantity',
    'sales_order',
    'serial',
    'status',
    'status_text',
    'stocktake_date',
    'supplier_part',
    'barcode_hash',
    'updated',
    'purchase_price',
    'purchase_price_currency',
    'tags',
  ],
)
