import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { tagFilters, tagSearch } from '../../../kit/definition/tags.ts'
import { partBrief } from '../../part/part.resource.ts'
import { companyBrief } from '../company.resource.ts'
import { company } from '../company.table.ts'
import { companyPartRoles } from './company-part-roles.ts'
import { manufacturerPartDetail } from './manufacturer/manufacturer-part.resource.ts'
import { supplierPart as table } from './supplier-part.table.ts'
import { supplierPartRules } from './supplier-part-rules.ts'

const inStock = 'coalesce((select sum(s.quantity) from stock_item s where s.supplier_part = {pk} and s.in_stock), 0)'
const manufacturer = '{manufacturer_part.manufacturer.name}'
const name = `concat_ws(' | ', nullif({part.IPN}, ''), {supplier.name}, {SKU}, ${manufacturer}, nullif({manufacturer_part.MPN}, ''))`

const NullableText = Type.Union([Type.String(), Type.Null()])
const manufacturerFlag = { name: 'manufacturer_detail', detail: true }

/**
 * Parts as suppliers sell them, in packs. With a supplier part go its price breaks; stock and order lines that it was bought
 * by stay, without it.
 */
export const supplierPart = resource({
  path: '/api/company/part/',
  name: 'Supplier part',
  model: 'supplierpart',
  table,
  access: companyPartRoles,
  bulkDelete: true,
  fields: {
    available: f.column(table.available, { min: 0 }),
    availability_updated: f.readonly(table.availability_updated),
    description: f.column(table.description, { search: true }),
    /** Stock that came from this supplier part, in the part's units. */
    in_stock: f.computed(Type.Number(), `trim_scale(${inStock})`),
    link: f.column(table.link, { format: 'url' }),
    active: f.column(table.active, { filter: true, order: true }),
    manufacturer: f.computed(NullableText, manufacturer, { type: 'string' }),
    manufacturer_detail: f.nested('{manufacturer_part.manufacturer}', () => companyBrief(), { flag: manufacturerFlag }),
    manufacturer_part: f.ref(table.manufacturer_part, {
      filter: true,
      model: 'manufacturerpart',
      address: '/api/company/part/manufacturer/',
    }),
    manufacturer_part_detail: f.nested(table.manufacturer_part, () => manufacturerPartDetail(), { flag: manufacturerFlag }),
    MPN: f.computed(NullableText, '{manufacturer_part.MPN}', { type: 'string', filter: 'iexact', search: true, order: true }),
    name: f.computed(Type.String(), name),
    note: f.column(table.note),
    pk: f.pk(table.pk),
    barcode_hash: f.readonly(table.barcode_hash),
    packaging: f.column(table.packaging, { order: true }),
    pack_quantity: f.column(table.pack_quantity),
    pack_quantity_native: f.readonly(table.pack_quantity_native),
    part: f.ref(table.part, {
      required: true,
      filter: true,
      where: '{purchaseable}',
      filters: { purchaseable: true },
      label: 'Base Part',
      model: 'part',
      address: '/api/part/',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail', detail: true } }),
    SKU: f.column(table.SKU, { required: true, filter: true, search: true, order: true }),
    supplier: f.ref(table.supplier, {
      required: true,
      filter: true,
      where: '{is_supplier}',
      filters: { is_supplier: true },
      model: 'company',
      address: '/api/company/',
    }),
    supplier_detail: f.nested(table.supplier, () => companyBrief(), {
      flag: { name: 'supplier_detail', list: true, detail: true },
    }),
    url: f.computed(Type.String(), `'/supplier-part/' || {pk} || '/'`),
    updated: f.readonly(table.updated, { order: true }),
    tags: f.column(table.tags),
    pretty_name: f.computed(Type.String(), name, { flag: { name: 'pretty' } }),
  },
  filters: {
    ...tagFilters,
    part_active: { kind: 'boolean', sql: '{part.active}' },
    supplier_active: { kind: 'boolean', sql: '{supplier.active}' },
    manufacturer: { kind: 'reference', table: () => company, sql: '{manufacturer_part.manufacturer} = {@value}' },
    company: {
      kind: 'reference',
      table: () => company,
      sql: '{supplier} = {@value} or {manufacturer_part.manufacturer} = {@value}',
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
    supplier_part_part_supplier_SKU_key: { non_field_errors: ['The fields part, supplier, SKU must make a unique set.'] },
  },
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
