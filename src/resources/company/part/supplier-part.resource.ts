import { Type } from 'typebox'
import { barcodeHash, link } from '../../../kit/definition/common.ts'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tags } from '../../../kit/definition/tags.ts'
import { tooLarge } from '../../../kit/request/constraint.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { partBrief } from '../../part/part.resource.ts'
import { ONLY_PARTS } from '../../part/part-flags.ts'
import { webPageOf } from '../../web/pages.ts'
import { companyBrief } from '../company.resource.ts'
import { company } from '../company.table.ts'
import { ONLY_COMPANIES } from '../company-roles.ts'
import { companyPartRoles } from './company-part-roles.ts'
import { manufacturerPartDetail } from './manufacturer/manufacturer-part.resource.ts'
import { supplierPart as table } from './supplier-part.table.ts'
import { findManufacturerPart, supplierPartRules } from './supplier-part-rules.ts'

const inStock = 'coalesce((select sum(s.quantity) {from stock_item} s where s.supplier_part = {pk} and s.in_stock), 0)'
const manufacturer = '{manufacturer_part.manufacturer.name}'
const name = `concat_ws(' | ', nullif({part.IPN}, ''), {supplier.name}, {SKU}, ${manufacturer}, nullif({manufacturer_part.MPN}, ''))`

const NullableText = Type.Union([Type.String(), Type.Null()])
const manufacturerFlag = { name: 'manufacturer_detail', detail: true }

const fits = 'The manufacturer part must be one of the same part, and the unit of a pack must convert to that of the part.'
const named =
  'In place of its key, `manufacturer_part`, it may be told by the name of its `manufacturer` and its `MPN`, together.'
const goes = 'Price breaks go with it. Stock and lines of orders that were bought by it stay, without it.'

export const supplierPart = resource({
  path: '/api/company/part/',
  name: 'Supplier part',
  description:
    'A part as a supplier sells it: in packs, under a number of its own. Orders count packs, stock counts what is in them.',
  remarks: { create: `${fits} ${named}`, update: fits, delete: goes, 'bulk-delete': goes },
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
  bulkDelete: true,
  fields: {
    available: f.column(table.available, {
      min: 0,
      help: 'How many packs the supplier says it has.',
    }),
    availability_updated: f.readonly(table.availability_updated, {
      label: 'Availability Updated',
      help: 'When `available` was last written; null if it never was.',
    }),
    description: f.column(table.description, { search: true, help: 'What the supplier calls it; empty for nothing.' }),
    in_stock: f.computed(Type.Number(), `trim_scale(${inStock})`, {
      label: 'In Stock',
      help: 'How much that was bought by it is in stock, in the unit of the part.',
    }),
    link: link(table.link),
    active: f.column(table.active, {
      filter: true,
      order: true,
      help: 'Whether it is still to be bought. Lists can be narrowed by it; nothing is refused because of it.',
    }),
    manufacturer: f.computed(NullableText, manufacturer, {
      type: 'string',
      help: 'The name of the manufacturer; null without a manufacturer part.',
    }),
    manufacturer_detail: f.nested('{manufacturer_part.manufacturer}', () => companyBrief(), {
      flag: manufacturerFlag,
      isLeftOut: true,
    }),
    manufacturer_part: f.ref(table.manufacturer_part, {
      filter: true,
      label: 'Manufacturer Part',
      help: 'What is delivered, as its manufacturer knows it; empty where that is not known, or not always the same.',
      model: 'manufacturerpart',
      address: '/api/company/part/manufacturer/',
    }),
    manufacturer_part_detail: f.nested(table.manufacturer_part, () => manufacturerPartDetail(), { flag: manufacturerFlag }),
    MPN: f.computed(NullableText, '{manufacturer_part.MPN}', {
      type: 'string',
      filter: 'iexact',
      search: true,
      order: true,
      help: "The manufacturer's number of the manufacturer part; null without one.",
    }),
    name: f.computed(Type.String(), name, {
      help: 'The number of the part, the supplier, the SKU, the manufacturer and the MPN in one line, as far as there are any.',
    }),
    note: f.column(table.note, { help: 'A short remark, such as on delivery; empty for none.' }),
    pk: f.pk(table.pk),
    barcode_hash: barcodeHash(table.barcode_hash),
    packaging: f.column(table.packaging, {
      order: true,
      help: 'What it comes in, such as reel or bag; empty for nothing.',
    }),
    pack_quantity: f.column(table.pack_quantity, {
      label: 'Pack Quantity',
      help: 'What one pack holds, in the unit of the part or one that converts to it, such as 100 or 5 m. Empty means 1.',
    }),
    pack_quantity_native: f.readonly(table.pack_quantity_native, {
      help: 'What one pack holds as a number, in the unit of the part: receiving a pack adds so much stock.',
    }),
    part: f.ref(table.part, {
      required: true,
      filter: true,
      only: ONLY_PARTS.purchaseable,
      filters: { purchaseable: true },
      label: 'Base Part',
      help: 'The part that is bought. It must be one that can be.',
      model: 'part',
      address: '/api/part/',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail', detail: true } }),
    SKU: f.column(table.SKU, {
      required: true,
      filter: true,
      search: true,
      order: true,
      label: 'SKU',
      help: "The supplier's number of the part. A part has it once with each supplier.",
    }),
    supplier: f.ref(table.supplier, {
      required: true,
      filter: true,
      only: ONLY_COMPANIES.supplier,
      filters: { is_supplier: true },
      model: 'company',
      address: '/api/company/',
      help: 'Who sells it: a company that is a supplier.',
    }),
    supplier_detail: f.nested(table.supplier, () => companyBrief(), {
      flag: { name: 'supplier_detail', list: true, detail: true },
    }),
    url: f.computed(Type.String(), webPageOf('/api/company/part/'), { help: 'The path of its page in a web interface.' }),
    updated: f.readonly(table.updated, { order: true, help: 'When it was last written; null if not since it was imported.' }),
    tags: tags(table.tags),
    pretty_name: f.computed(Type.String(), name, { flag: { name: 'pretty' }, help: 'The same as `name`.' }),
  },
  filters: {
    ...tagFilters,
    part_active: { kind: 'boolean', sql: '{part.active}', help: 'Whether the part itself is active.' },
    supplier_active: { kind: 'boolean', sql: '{supplier.active}', help: 'Whether the supplier is active.' },
    manufacturer: {
      kind: 'reference',
      table: () => company,
      sql: '{manufacturer_part.manufacturer} = {@value}',
      help: 'Those that the company with this key makes.',
    },
    company: {
      kind: 'reference',
      table: () => company,
      sql: '{supplier} = {@value} or {manufacturer_part.manufacturer} = {@value}',
      help: 'Those that the company with this key sells or makes.',
    },
  },
  search: ['{supplier.name}', manufacturer, '{part.IPN}', '{part.name}', '{part.description}', '{part.keywords}', tagSearch],
  order: {
    part: ['{part.name}'],
    supplier: ['{supplier.name}'],
    manufacturer: [manufacturer],
    pack_quantity: ['{pack_quantity_native}', '{pack_quantity}'],
    in_stock: [inStock],
  },
  constraints: {
    ...tooLarge('pack_quantity'),
    supplier_part_part_supplier_SKU_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'supplier', 'SKU'] })],
    },
  },
  completed: findManufacturerPart,
  rules: supplierPartRules,
})

const plain = [
  ...['available', 'availability_updated', 'description', 'link', 'active', 'manufacturer_part', 'name', 'note', 'pk'],
  ...['barcode_hash', 'packaging', 'pack_quantity', 'pack_quantity_native', 'part', 'SKU', 'supplier', 'url', 'updated', 'tags'],
]

/** A supplier part inside another object. */
export const supplierPartDetail = f.brief(() => supplierPart, plain)

/** A supplier part inside another object, with the objects that it refers to. */
export const supplierPartFullDetail = f.brief(
  () => supplierPart,
  [...plain, 'part_detail', 'supplier_detail', 'manufacturer_detail', 'manufacturer_part_detail'],
)
