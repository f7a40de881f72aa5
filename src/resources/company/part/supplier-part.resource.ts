import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../../kit/definition/common.ts'
import * as f from '../../../kit/definition/field.ts'
import { boolean } from '../../../kit/definition/input.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tags } from '../../../kit/definition/tags.ts'
import { outOfRangeErrors } from '../../../kit/request/constraint.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { webPageSql } from '../../../web-pages.ts'
import { importedFilter } from '../../imported-filter.ts'
import { openStates } from '../../order/order-kind.ts'
import { PURCHASE_ORDER } from '../../order/po/po-kind.ts'
import { duplicateField, insertDuplicate } from '../../parameter/duplicate.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../parameter/parameter-list.ts'
import { partBrief } from '../../part/part.resource.ts'
import { ONLY_PARTS } from '../../part/part-flags.ts'
import { companyBrief } from '../company.resource.ts'
import { company } from '../company.table.ts'
import { COMPANY_ROLE_RESTRICTIONS } from '../company-roles.ts'
import { priceBreakBrief } from '../price-break/price-break-brief.ts'
import { supplierPriceBreak } from '../price-break/supplier-price-break.table.ts'
import { companyPartRoles } from './company-part-roles.ts'
import { manufacturerPartDetail } from './manufacturer/manufacturer-part.resource.ts'
import { supplierPart as table } from './supplier-part.table.ts'
import { checkSupplierPart, findManufacturerPart, storePrimary } from './supplier-part-rules.ts'

const inStock = 'coalesce((select sum(s.quantity) {from stock_item} s where s.supplier_part = {pk} and s.in_stock), 0)'
const onOrder = `coalesce((
  select sum(greatest(line.quantity - line.received, 0)) {from purchase_order_line} line {join purchase_order} o on o.pk = line."order"
  where line.part = {pk} and o.status in ${openStates(PURCHASE_ORDER)}
), 0) * {pack_quantity_native}`
const manufacturer = '{manufacturer_part.manufacturer.name}'
const name = `concat_ws(' | ', nullif({part.IPN}, ''), {supplier.name}, {SKU}, ${manufacturer}, nullif({manufacturer_part.MPN}, ''))`

/** A part refers to its primary supplier part, so that it has only one. */
const IS_PRIMARY = '({part.default_supplier} is not distinct from {pk})'

const NullableText = Type.Union([Type.String(), Type.Null()])
const manufacturerFlag = { name: 'manufacturer_detail', detail: true }

const matchRule = 'The manufacturer part must belong to the same part, and the pack unit must convert to the unit of the part.'
const keyRule = 'Instead of the key `manufacturer_part`, the `manufacturer` and `MPN` can be given together.'
const deletionRule = 'Deletes its price breaks as well. Stock and order lines remain, without a supplier part.'

export const supplierPart = resource({
  path: '/api/company/part/',
  name: 'Supplier part',
  description: 'A part as a supplier sells it: in packs, with a SKU. Orders count packs, stock counts their contents.',
  remarks: { create: `${matchRule} ${keyRule}`, update: matchRule, delete: deletionRule, 'bulk-delete': deletionRule },
  example: {
    pk: 14,
    create: {
      part: 15,
      supplier: 5,
      SKU: 'CC-USBC-16',
      pack_quantity: '100',
      packaging: 'Reel',
      link: 'https://cascadia-circuits.example/usbc',
    },
    replace: { part: 15, supplier: 1, SKU: 'BW-7116', packaging: 'Loose', note: 'Tray of 60 on request' },
    change: { available: 4200 },
    deletable: 34,
  },
  model: 'supplierpart',
  table,
  access: companyPartRoles,
  deletesExclusively: true,
  bulkUpdate: true,
  bulkDelete: true,
  fields: {
    available: f.column(table.available, {
      min: 0,
      help: 'The number of packs available at the supplier.',
    }),
    availability_updated: f.readonly(table.availability_updated, {
      label: 'Availability Updated',
      help: 'When `available` was last updated; null if never.',
    }),
    description: f.column(table.description, { search: true, help: "The supplier's description; empty for none." }),
    in_stock: f.computed(Type.Number(), `trim_scale(${inStock})`, {
      label: 'In Stock',
      help: 'The quantity in stock that was purchased as this supplier part, in the unit of the part.',
    }),
    on_order: f.extended(
      f.computed(Type.Number(), `trim_scale(${onOrder})`, {
        label: 'On Order',
        help: 'The quantity on order, in the unit of the part.',
      }),
    ),
    link: link(table.link),
    active: f.column(table.active, {
      filter: true,
      order: true,
      help: 'Whether the supplier part is in use. Lists can be filtered by it; it restricts nothing.',
    }),
    manufacturer: f.computed(NullableText, manufacturer, {
      type: 'string',
      help: 'The name of the manufacturer; null without a manufacturer part.',
    }),
    manufacturer_detail: f.nested('{manufacturer_part.manufacturer}', () => companyBrief(), {
      flag: manufacturerFlag,
      isOmittedWhenNull: true,
      api530: { metadata: { label: 'Manufacturer' } },
    }),
    manufacturer_part: f.ref(table.manufacturer_part, {
      filter: true,
      label: 'Manufacturer Part',
      help: 'The manufacturer part that is delivered; empty if it is unknown or varies.',
      model: 'manufacturerpart',
      apiUrl: '/api/company/part/manufacturer/',
    }),
    manufacturer_part_detail: f.nested(table.manufacturer_part, () => manufacturerPartDetail(), {
      flag: { name: 'manufacturer_part_detail', formerName: manufacturerFlag.name, detail: true },
      api530: { metadata: { label: 'Manufacturer Part' } },
    }),
    MPN: f.computed(NullableText, '{manufacturer_part.MPN}', {
      type: 'string',
      filter: 'iexact',
      search: true,
      order: true,
      api530: { metadata: { label: 'MPN' } },
      help: 'The MPN of the manufacturer part; null without one.',
    }),
    name: f.computed(Type.String(), name, {
      help: 'The IPN of the part, the supplier, the SKU, the manufacturer and the MPN in one line, as far as known.',
    }),
    note: f.column(table.note, { help: 'A short note, such as on delivery; empty for none.' }),
    notes: notes(table.notes),
    primary: {
      ...f.computed(Type.Boolean(), IS_PRIMARY, {
        filter: {
          kind: 'boolean',
          sql: IS_PRIMARY,
          help: 'Whether it is the primary supplier part of its part.',
        },
        order: true,
        help: 'Whether it is the primary supplier part of its part: its default supplier. A part has only one.',
      }),
      input: boolean({}),
      api530: { metadata: { default: false } },
    },
    pk: f.pk(table.pk),
    barcode_hash: barcodeHash(table.barcode_hash),
    packaging: f.column(table.packaging, {
      order: true,
      help: 'The packaging, such as reel or bag; empty for none.',
    }),
    pack_quantity: f.column(table.pack_quantity, {
      label: 'Pack Quantity',
      help: 'The contents of one pack, in the unit of the part or one that converts to it, such as 100 or 5 m. Empty means 1.',
    }),
    pack_quantity_native: f.readonly(table.pack_quantity_native, {
      help: 'The contents of one pack as a number, in the unit of the part: the stock added by receiving one pack.',
    }),
    part: f.ref(table.part, {
      required: true,
      filter: true,
      only: ONLY_PARTS.purchaseable,
      filters: { purchaseable: true },
      label: 'Base Part',
      help: 'The part; it must be purchasable.',
      model: 'part',
      apiUrl: '/api/part/',
    }),
    part_detail: f.nested(table.part, () => partBrief(), {
      flag: { name: 'part_detail', detail: true },
      api530: { metadata: { label: 'Part' } },
    }),
    SKU: f.column(table.SKU, {
      required: true,
      filter: true,
      search: true,
      order: true,
      label: 'SKU',
      help: "The supplier's part number (SKU), unique for each part and supplier.",
    }),
    supplier: f.ref(table.supplier, {
      required: true,
      filter: true,
      only: COMPANY_ROLE_RESTRICTIONS.supplier,
      filters: { is_supplier: true },
      model: 'company',
      apiUrl: '/api/company/',
      help: 'The supplier; the company must be a supplier.',
    }),
    supplier_detail: f.nested(table.supplier, () => companyBrief(), {
      flag: { name: 'supplier_detail', list: true, detail: true, api530: { list: false, detail: true } },
      api530: { metadata: { label: 'Supplier' } },
    }),
    url: f.computed(Type.String(), webPageSql('/api/company/part/'), { help: 'The path of its page in a web interface.' }),
    updated: f.readonly(table.updated, { order: true, help: 'When it was last changed; null if not since its import.' }),
    tags: tags(table.tags),
    pretty_name: f.computed(Type.String(), name, {
      flag: { name: 'pretty' },
      api530: { metadata: { label: 'Pretty Name' } },
      help: 'The same as `name`.',
    }),
    price_breaks: f.rows(supplierPriceBreak.part, () => priceBreakBrief(), {
      flag: { name: 'price_breaks' },
      label: 'Price Breaks',
      help: 'Its price breaks.',
    }),
    parameters: parametersField('supplier_part'),
    duplicate: duplicateField('supplier_part'),
  },
  orderFamily: parameterOrders('supplier_part'),
  filters: {
    ...importedFilter('supplierpart'),
    ...parameterFilters('supplier_part'),
    ...tagFilters,
    has_stock: { kind: 'boolean', sql: `${inStock} > 0`, help: 'Whether any of it is in stock.' },
    part_active: { kind: 'boolean', sql: '{part.active}', help: 'Whether the part is active.' },
    supplier_active: { kind: 'boolean', sql: '{supplier.active}', help: 'Whether the supplier is active.' },
    manufacturer: {
      kind: 'reference',
      table: () => company,
      sql: '{manufacturer_part.manufacturer} = {@value}',
      help: 'Supplier parts made by the company with this key.',
    },
    company: {
      kind: 'reference',
      table: () => company,
      sql: '{supplier} = {@value} or {manufacturer_part.manufacturer} = {@value}',
      help: 'Supplier parts sold or made by the company with this key.',
    },
  },
  search: ['{supplier.name}', manufacturer, '{part.IPN}', '{part.name}', '{part.description}', '{part.keywords}', tagSearch],
  order: {
    part: ['{part.name}'],
    IPN: ['{part.IPN}'],
    supplier: ['{supplier.name}'],
    manufacturer: [manufacturer],
    pack_quantity: ['{pack_quantity_native}', '{pack_quantity}'],
    in_stock: [inStock],
  },
  constraints: {
    ...outOfRangeErrors('pack_quantity'),
    supplier_part_part_supplier_SKU_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'supplier', 'SKU'] })],
    },
  },
  completeBody: findManufacturerPart,
  rules: checkSupplierPart,
  afterCreate: storePrimary,
  afterUpdate: storePrimary,
  insert: insertDuplicate('supplier_part', () => supplierPart),
})

const UNCOMPUTED_FIELDS = { in_stock: f.uncomputed(), on_order: f.uncomputed() }
const plainFields = [
  ...['available', 'availability_updated', 'description', 'link', 'active', 'manufacturer_part', 'name', 'note', 'pk'],
  ...['barcode_hash', 'packaging', 'pack_quantity', 'pack_quantity_native', 'part', 'SKU', 'supplier', 'url', 'updated', 'tags'],
]

/** A supplier part inside another object. */
export const supplierPartDetail = f.brief(() => supplierPart, plainFields, UNCOMPUTED_FIELDS, ['primary', 'MPN', 'notes'])

/** A supplier part inside another object, with the objects that it refers to. */
export const supplierPartFullDetail = f.brief(
  () => supplierPart,
  [...plainFields, 'part_detail', 'supplier_detail', 'manufacturer_detail', 'manufacturer_part_detail'],
  UNCOMPUTED_FIELDS,
  ['primary', 'MPN', 'notes'],
)
