import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { fileAddress, pictureInput, remotePicture, thumbnailAddress } from '../../kit/definition/media.ts'
import { resource } from '../../kit/definition/resource.ts'
import { tagSearch, tags } from '../../kit/definition/tags.ts'
import { pathDetail } from '../../kit/definition/tree.ts'
import { contains } from '../../kit/reading/search.ts'
import { roles } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { extend } from '../../kit/sql/sql.ts'
import { setting } from '../settings/live.ts'
import type { GlobalKey } from '../settings/registry.ts'
import { unitInput } from '../units/unit-input.ts'
import { ownerRef } from '../user/owner/owner.resource.ts'
import { defaultLocation, partCategoryBrief } from './category/part-category.resource.ts'
import { lockPartTree, refuseActive } from './delete-part.ts'
import { followPart, starred } from './follow.ts'
import { completeNewPart, duplicateInput, initialStockInput, initialSupplierInput } from './new-part.ts'
import { followed, partFilters } from './part.filters.ts'
import { part as table } from './part.table.ts'
import { partQuantity } from './part-quantity.table.ts'
import { partRules } from './part-rules.ts'
import { partPricing } from './pricing/part-pricing.table.ts'

extend(table, partQuantity)
extend(table, partPricing, 'part')

const ADDRESS = '/api/part/'

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableKey = Type.Union([Type.Integer(), Type.Null()])

/** One of the sums of `part_quantity`, in the units of the part. */
const quantity = (name: keyof typeof partQuantity.$inferSelect, label?: string): f.Field =>
  f.computed(Type.Number(), `trim_scale({part_quantity.${name}})`, { label, order: true })

const count = (name: 'stock_item_count' | 'suppliers', label: string): f.Field =>
  f.computed(Type.Integer(), `{part_quantity.${name}}`, { label })

const price = (column: 'overall_min' | 'overall_max'): f.Field => ({
  ...f.computed(NullableText, `{part_pricing.${column}}::text`, { type: 'decimal' }),
  order: [`{part_pricing.${column}}`],
})

/** What new parts are, by the settings. */
const FLAGS = {
  assembly: 'PART_ASSEMBLY',
  component: 'PART_COMPONENT',
  is_template: 'PART_TEMPLATE',
  purchaseable: 'PART_PURCHASEABLE',
  salable: 'PART_SALABLE',
  trackable: 'PART_TRACKABLE',
  virtual: 'PART_VIRTUAL',
} as const satisfies Record<string, GlobalKey>

const flag = (name: keyof typeof FLAGS): f.Field =>
  f.column(table[name], { filter: true, default: (services: Services) => setting(services, FLAGS[name]) })

/** Things that are bought, made, stored or sold. */
export const part = resource({
  path: ADDRESS,
  name: 'Part',
  model: 'part',
  table,
  access: roles('part'),
  fields: {
    active: f.column(table.active, { filter: true, default: true }),
    assembly: flag('assembly'),
    barcode_hash: barcodeHash(table.barcode_hash),
    category: f.ref(table.category, {
      required: true,
      nullable: false,
      order: true,
      model: 'partcategory',
      address: '/api/part/category/',
    }),
    category_detail: f.nested(table.category, () => partCategoryBrief(), { flag: { name: 'category_detail' } }),
    category_path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('part_category', '{category.path}'),
      { flag: { name: 'path_detail' } },
    ),
    component: flag('component'),
    creation_date: f.readonly(table.creation_date, { order: true }),
    creation_user: f.ref(table.creation_user, { label: 'Creation user', model: 'user', address: '/api/user/' }),
    default_expiry: f.column(table.default_expiry, { min: 0, default: 0 }),
    default_location: f.ref(table.default_location, { filter: true, model: 'stocklocation', address: '/api/stock/location/' }),
    default_supplier: f.ref(table.default_supplier, { model: 'supplierpart', address: '/api/company/part/' }),
    description: f.column(table.description, { search: true }),
    full_name: f.readonly(table.full_name),
    image: f.writeOnly(pictureInput(), { shown: fileAddress('{image}'), schema: NullableText }),
    remote_image: remotePicture(),
    existing_image: f.writeOnly(input.text({ blank: false, max: 250 })),
    IPN: f.column(table.IPN, { filter: 'iexact', search: true, order: true }),
    is_template: flag('is_template'),
    keywords: f.column(table.keywords, { search: true }),
    last_stocktake: f.column(table.last_stocktake, { order: true }),
    link: link(table.link),
    minimum_stock: f.column(table.minimum_stock, { required: true, form: 'number', min: 0, default: '0' }),
    name: f.column(table.name, { required: true, search: true, order: true }),
    notes: notes(table.notes),
    // parameters come with their own kind
    parameters: f.computed(Type.Array(Type.Any()), `'[]'::json`, { flag: { name: 'parameters' } }),
    pk: f.pk(table.pk),
    purchaseable: flag('purchaseable'),
    revision: f.column(table.revision, { search: true }),
    salable: flag('salable'),
    starred: starred(followed, 'Whether the caller follows the part itself, not by way of a template or category.'),
    thumbnail: f.computed(Type.String(), thumbnailAddress('{image}')),
    trackable: flag('trackable'),
    units: { ...f.column(table.units, { order: true }), input: unitInput({ max: 20, nullable: true, default: '' }) },
    variant_of: f.ref(table.variant_of, {
      filter: true,
      where: '{is_template}',
      filters: { is_template: true },
      model: 'part',
      address: ADDRESS,
    }),
    virtual: flag('virtual'),
    pricing_min: price('overall_min'),
    pricing_max: price('overall_max'),
    pricing_updated: {
      ...f.computed(NullableText, f.moment('{part_pricing.updated}'), { type: 'datetime' }),
      order: ['{part_pricing.updated}'],
    },
    responsible: ownerRef(table.responsible),
    allocated_to_build_orders: quantity('allocated_to_build_orders'),
    allocated_to_sales_orders: quantity('allocated_to_sales_orders'),
    building: quantity('building'),
    category_default_location: f.computed(NullableKey, defaultLocation('{category.path}'), { type: 'integer' }),
    in_stock: quantity('in_stock'),
    ordering: quantity('ordering', 'On Order'),
    required_for_build_orders: quantity('required_for_build_orders'),
    required_for_sales_orders: quantity('required_for_sales_orders'),
    stock_item_count: count('stock_item_count', 'Stock Items'),
    suppliers: count('suppliers', 'Suppliers'),
    total_in_stock: quantity('total_in_stock', 'Total Stock'),
    external_stock: quantity('external_stock', 'External Stock'),
    unallocated_stock: quantity('unallocated_stock', 'Unallocated Stock'),
    variant_stock: quantity('variant_stock', 'Variant Stock'),
    duplicate: f.writeOnly(duplicateInput, { label: 'Duplicate Part' }),
    initial_stock: f.writeOnly(initialStockInput),
    initial_supplier: f.writeOnly(initialSupplierInput, { label: 'Supplier Information' }),
    copy_category_parameters: f.writeOnly(input.boolean({ default: true }), { shown: 'true', schema: Type.Boolean() }),
    tags: tags(table.tags),
  },
  filters: partFilters,
  search: [
    '{category.name}',
    `{pk} in (select made.part from manufacturer_part made where ${contains('made."MPN"')})`,
    `{pk} in (select sold.part from supplier_part sold where ${contains('sold."SKU"')})`,
    tagSearch,
  ],
  defaultOrder: ['name'],
  constraints: {
    part_name_IPN_revision_key: { non_field_errors: ['There is another part with this name, IPN and revision.'] },
    part_variant_of_cycle: { variant_of: ['A part cannot be a variant of itself or of one of its variants.'] },
  },
  suggested: async (services) => Object.fromEntries(Object.entries(FLAGS).map(([name, key]) => [name, setting(services, key)])),
  locksFirst: lockPartTree,
  rules: partRules,
  created: completeNewPart,
  async updated({ tx, caller, values }, pk) {
    if (values.starred !== undefined) await followPart(tx, caller.pk, pk, values.starred === true)
  },
  deleting: refuseActive,
})

/** A part inside another object. */
export const partBrief = f.brief(
  () => part,
  [
    'pk',
    'IPN',
    'barcode_hash',
    'category_default_location',
    'default_location',
    'name',
    'revision',
    'full_name',
    'description',
    'image',
    'thumbnail',
    'active',
    'assembly',
    'is_template',
    'purchaseable',
    'salable',
    'trackable',
    'virtual',
    'units',
    'pricing_min',
    'pricing_max',
  ],
)
