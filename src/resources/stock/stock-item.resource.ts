// Over 400 lines: it has every field of a stock item, with its help.
import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import { boolean, type Input, optional, orNull, text } from '../../kit/definition/input.ts'
import { isDeletion, resource } from '../../kit/definition/resource.ts'
import { storedCount } from '../../kit/definition/stored-count.ts'
import { tagSearch, tags } from '../../kit/definition/tags.ts'
import { pathDetail } from '../../kit/definition/tree.ts'
import { roles } from '../../kit/request/caller.ts'
import { outOfRangeErrors } from '../../kit/request/constraint.ts'
import { setting } from '../../settings/live.ts'
import { COMPANY_ROLE_RESTRICTIONS } from '../company/company-roles.ts'
import { supplierPartDetail } from '../company/part/supplier-part.resource.ts'
import { currencyField } from '../currency/currency-field.ts'
import { FORMER_FILES } from '../former-files.ts'
import { statusFilter, statusText } from '../generic/status/custom/custom-states.ts'
import { importedFilter } from '../imported-filter.ts'
import { partBrief } from '../part/part.resource.ts'
import { ONLY_PARTS } from '../part/part-flags.ts'
import { ownerRef } from '../user/owner/owner.resource.ts'
import { recomputeReturnOrders, recordReturnOrders, requireDeletableItem } from './delete-item.ts'
import { INSIDE_ITSELF, lockChange } from './installed.ts'
import { LOCATION_PATH, locationBrief, locationParameters, locationPath } from './location/stock-location.resource.ts'
import { MAX_SERIALS_TEXT_LENGTH, SERIAL_NUMBERS_HELP } from './movement/read-serials.ts'
import { describeItemStates, withCustomStates } from './read-status.ts'
import { suggestBatchCode } from './serial/new-batch-code.ts'
import { ALLOCATED, EXPIRED, IN_STOCK, NOT_IN_STOCK, STALE, stockItemFilters } from './stock-item.filters.ts'
import { stockItem as table } from './stock-item.table.ts'
import { changeStockItem, createPluginCheck, recordStockItemChange } from './stock-item-change.ts'
import { STOCK_STATUS_CHOICES, stockStatus } from './stock-status.ts'
import { testResultBrief } from './test/stock-item-test-result.resource.ts'
import { stockItemTestResult } from './test/stock-item-test-result.table.ts'

const STOCK = '/api/stock/'
const NullableText = Type.Union([Type.String(), Type.Null()])

/** New items are created by `create-stock.action.ts`. */
/** The locations of an item with their icons; null without one. */
const NAMED_PATH = orNull(LOCATION_PATH)

export const stockItem = resource({
  path: STOCK,
  name: 'Stock item',
  description:
    'A quantity of a part in one location with one status, or a single unit with a serial number. Every change is recorded in its history (`/api/stock/track/`).',
  remarks: {
    list: 'Filter by parameters of their parts with `parameter_<key of the template>`, as in the list of parts.',
    update:
      'A new location, quantity or status is recorded in the history. Rejects a structural location, a fraction of a trackable part, a serial number that is in use, a supplier part of another part, and installing an item in one that it contains. Fields that the request leaves unchanged are not checked.',
    delete:
      'Deletes its history, the items installed in it and the return order lines that expect it as well. Items that were split from it then count as split from its own parent.',
    'bulk-delete': 'Deletes their history, the items installed in them and the return order lines that expect them as well.',
  },
  example: {
    pk: 60,
    replace: {
      part: 7,
      quantity: 50,
      location: 7,
      batch: '2418A',
      supplier_part: 8,
      purchase_order: 1,
      purchase_price: '5.90',
      purchase_price_currency: 'GBP',
      packaging: 'Tray',
    },
    change: { status: 50, notes: 'The tray was open on arrival: test before use.' },
    deletable: 71,
  },
  model: 'stockitem',
  table,
  formerFile: FORMER_FILES.stock,
  access: roles('stock'),
  deletesExclusively: true,
  without: ['create'],
  bulkDelete: true,
  fields: {
    batch: f.column(table.batch, {
      filter: 'iexact',
      search: true,
      order: true,
      label: 'Batch Code',
      help: 'The batch code; empty for none.',
    }),
    belongs_to: f.ref(table.belongs_to, {
      filter: true,
      model: 'stockitem',
      apiUrl: STOCK,
      label: 'Installed In',
      help: 'The item that contains it, so that it is not in stock; empty for none.',
    }),
    build: f.ref(table.build, {
      filter: true,
      extraColumns: ['part'],
      model: 'build',
      apiUrl: '/api/build/',
      label: 'Source Build',
      help: 'The build order that produces or produced it, of the same part; empty for none.',
    }),
    consumed_by: f.ref(table.consumed_by, {
      filter: true,
      model: 'build',
      apiUrl: '/api/build/',
      label: 'Consumed By',
      help: 'The build order that consumed it, so that it is not in stock; empty for none.',
    }),
    creation_date: f.readonly(table.creation_date, {
      order: true,
      label: 'Creation Date',
      help: 'When it was created; null for items older than this field.',
    }),
    customer: f.ref(table.customer, {
      filter: true,
      only: COMPANY_ROLE_RESTRICTIONS.customer,
      filters: { is_customer: true },
      model: 'company',
      apiUrl: '/api/company/',
      help: 'The customer who has it, so that it is not in stock; empty for none.',
    }),
    delete_on_deplete: f.column(table.delete_on_deplete, {
      help: 'Whether it is deleted when its quantity becomes zero; never with a serial number.',
    }),
    expiry_date: f.column(table.expiry_date, {
      order: true,
      label: 'Expiry Date',
      help: 'The expiry date; empty for none. A new item without one gets it from the shelf life of its part.',
    }),
    in_stock: f.extended(f.computed(Type.Boolean(), '{in_stock}', { label: 'In Stock', help: 'Whether it is in stock.' })),
    is_building: f.column(table.is_building, {
      filter: true,
      help: 'Whether it is in production, and so not in stock yet.',
    }),
    link: link(table.link, { label: 'External Link' }),
    location: f.ref(table.location, {
      model: 'stocklocation',
      apiUrl: '/api/stock/location/',
      label: 'Stock Location',
      help: 'The location, not a structural one; empty for none. By default, a new item goes to the default location of its part or category.',
    }),
    location_detail: f.nested(table.location, () => locationBrief(), {
      flag: { name: 'location_detail', detail: true },
      api530: { metadata: { label: 'Location' } },
      help: 'The location.',
    }),
    location_path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('stock_location', '{location.path}'),
      {
        flag: { name: 'path_detail' },
        help: 'Keys and names of its locations, from the top down.',
        api530: {
          value: { schema: NAMED_PATH, sql: `case when {location} is not null then ${locationPath('{location.path}')} end` },
        },
      },
    ),
    notes: notes(table.notes),
    owner: ownerRef(table.owner, {
      label: 'Owner',
      help: 'The user or group that owns it; empty for none.',
    }),
    packaging: f.column(table.packaging, { order: true, help: 'The packaging, such as a reel or a tray; empty for none.' }),
    parent: f.extended(
      f.ref(table.parent, {
        readonly: true,
        model: 'stockitem',
        apiUrl: STOCK,
        api530: { metadata: { type: 'field' } },
        label: 'Parent Item',
        help: 'The item that it was split from; null for none.',
      }),
    ),
    part: f.ref(table.part, {
      required: true,
      only: ONLY_PARTS.stocked,
      filters: { virtual: false },
      model: 'part',
      apiUrl: '/api/part/',
      help: 'The part; it must not be virtual.',
    }),
    part_detail: f.nested(table.part, () => partBrief(), {
      flag: { name: 'part_detail', detail: true, api530: true },
      api530: { metadata: { label: 'Part' } },
      help: 'The part.',
    }),
    purchase_order: f.ref(table.purchase_order, {
      filter: true,
      model: 'purchaseorder',
      apiUrl: '/api/order/po/',
      label: 'Source Purchase Order',
      help: 'The purchase order that it was received from; empty for none.',
    }),
    purchase_order_reference: f.computed(NullableText, '{purchase_order.reference}', {
      type: 'string',
      help: 'The reference of the purchase order.',
    }),
    pk: f.pk(table.pk),
    quantity: f.column(table.quantity, {
      required: true,
      min: 0,
      order: true,
      api530: { metadata: { label: 'Stock Quantity' } },
      help: 'The quantity, in units of the part; whole for a trackable part, 1 with a serial number.',
    }),
    sales_order: f.ref(table.sales_order, {
      filter: true,
      model: 'salesorder',
      apiUrl: '/api/order/so/',
      label: 'Destination Sales Order',
      help: 'The sales order that it was shipped with, so that it is not in stock; empty for none.',
    }),
    sales_order_reference: f.computed(NullableText, '{sales_order.reference}', {
      type: 'string',
      help: 'The reference of the sales order.',
    }),
    serial: f.column(table.serial, {
      filter: true,
      search: true,
      label: 'Serial Number',
      help: 'The serial number of a single unit; empty for none. It is unique within the part, its template and its variants.',
    }),
    status: statusField(),
    status_text: statusText(
      stockStatus.name,
      STOCK_STATUS_CHOICES,
      'The status as text: the label of its custom state, if it is in one.',
    ),
    status_custom_key: {
      ...f.column(table.status_custom_key, {
        label: 'Custom status key',
        api530: { metadata: { type: 'choice' }, describe: describeItemStates },
        help: 'The key of its custom state, otherwise that of its status. A custom state sets the status to its logical status; empty or a status ends it.',
      }),
      schema: Type.Integer(),
      sql: 'coalesce({status_custom_key}, {status})',
    },
    stocktake_date: f.readonly(table.stocktake_date, {
      order: true,
      help: 'The day of the last count, in UTC; null if it was never counted.',
    }),
    supplier_part: f.ref(table.supplier_part, {
      filter: true,
      model: 'supplierpart',
      apiUrl: '/api/company/part/',
      label: 'Supplier Part',
      help: 'The supplier part it was purchased as, of the same part; empty for none.',
    }),
    SKU: f.extended(
      f.computed(NullableText, '{supplier_part.SKU}', {
        type: 'string',
        label: 'Supplier Part Number',
        help: 'The SKU of the supplier part.',
      }),
    ),
    MPN: f.extended(
      f.computed(NullableText, '{supplier_part.manufacturer_part.MPN}', {
        type: 'string',
        label: 'Manufacturer Part Number',
        help: 'The MPN of the supplier part.',
      }),
    ),
    supplier_part_detail: f.nested(table.supplier_part, () => supplierPartDetail(), {
      flag: { name: 'supplier_part_detail', detail: true },
      api530: { metadata: { label: 'Supplier Part' } },
      help: 'The supplier part.',
    }),
    barcode_hash: barcodeHash(table.barcode_hash),
    updated: f.readonly(table.updated, { order: true, help: 'When it was last changed.' }),
    purchase_price: f.column(table.purchase_price, {
      order: true,
      label: 'Purchase Price',
      help: 'The purchase price of one unit of the part, zero or more; empty if unknown.',
    }),
    purchase_price_currency: currencyField(table.purchase_price_currency, {
      help: 'The currency of the price.',
    }),
    use_pack_size: f.writeOnly(
      { ...boolean({ nullable: true }), emptyIsNull: true },
      {
        help: 'Whether quantity and price of a new item are per pack of its supplier part. Required if a pack is not 1 unit. Ignored by an update.',
      },
    ),
    serial_numbers: f.writeOnly(
      optional(
        text({
          max: MAX_SERIALS_TEXT_LENGTH,
          blank: true,
          nullable: true,
          multiline: true,
          label: 'Serial Numbers',
        }),
      ),
      {
        api530: { metadata: { label: 'Serial numbers' } },
        // an update ignores it
        help: `One serial number for each unit of the quantity. ${SERIAL_NUMBERS_HELP}`,
      },
    ),
    allocated: f.computed(Type.Number(), `trim_scale(${ALLOCATED})`, {
      api530: { metadata: { label: 'Allocated Quantity' } },
      help: 'The quantity allocated to sales orders and build orders, or shipped with a sales order, in units of the part.',
    }),
    expired: f.computed(Type.Boolean(), `coalesce(${EXPIRED}, false)`, {
      help: 'Whether it is in stock after its expiry date.',
    }),
    installed_items: f.computed(
      Type.Integer(),
      '(select count(*) {from stock_item} installed where installed.belongs_to = {pk})',
      {
        api530: { metadata: { label: 'Installed Items' } },
        help: 'The number of items installed in it, not counting those inside these.',
      },
    ),
    child_items: f.computed(
      Type.Integer(),
      // few items are ever split: the others need no recursive query
      `case when exists (select {from stock_item} child where child.parent = {pk}) then
        (with recursive split (pk) as (select pk {from stock_item} where parent = {pk} union select item.pk {from stock_item} item join split on item.parent = split.pk) select count(*) from split)
      else 0 end`,
      {
        api530: { metadata: { label: 'Child Items' } },
        help: 'The number of items that were split from it, directly or indirectly.',
      },
    ),
    stale: f.computed(Type.Boolean(), `coalesce(${STALE}, false)`, {
      help: 'Whether it is in stock after its expiry date, or will expire within STOCK_STALE_DAYS days.',
    }),
    tracking_items: f.computed(Type.Integer(), '(select count(*) {from stock_tracking} entry where entry.item = {pk})', {
      api530: { metadata: { label: 'Tracking Items' } },
      help: 'The number of entries in its history.',
    }),
    tags: tags(table.tags),
    tests: f.rows(stockItemTestResult.stock_item, () => testResultBrief(), {
      flag: { name: 'tests' },
      help: 'Its test results.',
    }),
  },
  parameters: { ...locationParameters, stale_days: (services) => setting(services, 'STOCK_STALE_DAYS') },
  filters: { ...importedFilter('stockitem'), ...stockItemFilters },
  search: ['{part.name}', '{part.IPN}', '{part.description}', '{location.name}', tagSearch],
  searchedBy530: ['{supplier_part.SKU}', '{supplier_part.manufacturer_part.MPN}'],
  order: {
    location: ['{location.pathstring}'],
    part__name: ['{part.name}'],
    part__IPN: ['{part.IPN}'],
    IPN: ['{part.IPN}'],
    stock: ['{quantity}', '{serial_int}', '{serial}'],
    SKU: ['{supplier_part.SKU}'],
    MPN: ['{supplier_part.manufacturer_part.MPN}'],
  },
  defaultOrder: ['part__name', 'quantity', 'location'],
  rowsOf: { part: '(select stock_item_count {from part_quantity} where pk = {pk})' },
  storedCounts: {
    [IN_STOCK]: {
      rows: storedCount('stock_item.in_stock', 1),
      of: { part: '(select in_stock_item_count {from part_quantity} where pk = {pk})' },
    },
    [NOT_IN_STOCK]: {
      rows: storedCount('stock_item.in_stock', 0),
      of: { part: '(select stock_item_count - in_stock_item_count {from part_quantity} where pk = {pk})' },
    },
  },
  suggestValues: async (services) => ({ batch: await suggestBatchCode(services) }),
  constraints: { ...outOfRangeErrors('quantity'), stock_item_belongs_to_check: { belongs_to: [INSIDE_ITSELF] } },
  reviewWrites: createPluginCheck,
  locksFirst: (tx, pks, body) => (isDeletion(body) ? recordReturnOrders(tx, pks) : lockChange(tx, pks, body)),
  beforeDelete: requireDeletableItem,
  afterDelete: recomputeReturnOrders,
  rules: changeStockItem,
  afterUpdate: recordStockItemChange,
})

/** The status, which also accepts the keys of custom states. */
function statusField(): f.Field {
  const field = f.column(table.status, {
    choices: () => STOCK_STATUS_CHOICES,
    filter: statusFilter(STOCK_STATUS_CHOICES, 'Items with this status, or in this custom state, by its key.'),
    order: true,
    help: 'The status. Lost, destroyed and rejected stock is not in stock.',
  })
  return { ...field, input: withCustomStates(field.input as Input<number>) }
}

/** Fields that API 196 does not have, in stock items inside other objects. */
const NEW_ITEM_FIELDS = ['in_stock', 'parent', 'status_custom_key', 'SKU', 'MPN', 'creation_date']

export const UNCOMPUTED_ITEM_FIELDS = Object.fromEntries(
  ['allocated', 'expired', 'installed_items', 'child_items', 'stale', 'tracking_items'].map((name) => [name, f.uncomputed()]),
)

/** The fields that clients of API 530 expect in the item of an allocation as well. */
export const NESTED_ITEM_FIELDS = [
  ...['batch', 'belongs_to', 'build', 'consumed_by', 'customer', 'delete_on_deplete', 'expiry_date', 'is_building', 'link'],
  ...['notes', 'owner', 'packaging', 'purchase_order', 'purchase_order_reference', 'sales_order', 'sales_order_reference'],
  ...['status', 'status_text', 'stocktake_date', 'updated', 'purchase_price', 'purchase_price_currency', 'tags'],
  ...NEW_ITEM_FIELDS,
]

/** The fields of a stock item inside another object. */
const ITEM_FIELDS = [
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
  'purchase_order_reference',
  'pk',
  'quantity',
  'sales_order',
  'sales_order_reference',
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
]

/** A stock item inside another object: its own columns, without counts. */
export const stockItemBrief = f.brief(() => stockItem, ITEM_FIELDS, UNCOMPUTED_ITEM_FIELDS, NEW_ITEM_FIELDS)

/** The same with its part, for clients of API 530. */
export const stockItemWithPart = f.brief(
  () => stockItem,
  ITEM_FIELDS,
  { ...UNCOMPUTED_ITEM_FIELDS, part_detail: f.extended(f.nested('{part}', () => partBrief(), { help: 'The part.' })) },
  NEW_ITEM_FIELDS,
)
