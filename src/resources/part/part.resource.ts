// Over 400 lines: it has every field of a part, with its help.
import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { buildThumbnailUrlSql, picture, remotePicture } from '../../kit/definition/media.ts'
import { resource } from '../../kit/definition/resource.ts'
import { tagSearch, tags } from '../../kit/definition/tags.ts'
import { pathDetail } from '../../kit/definition/tree.ts'
import { buildContains } from '../../kit/reading/search.ts'
import { roles } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { extend } from '../../kit/sql/sql.ts'
import { setting } from '../../settings/live.ts'
import { trackAssemblies, trackByComponents } from '../bom/track-assemblies.ts'
import { FORMER_FILES } from '../former-files.ts'
import { importedFilter } from '../imported-filter.ts'
import { createIncomingField } from '../order/po/incoming.ts'
import { parameter } from '../parameter/parameter.table.ts'
import { orderByParameter } from '../parameter/parameter-filter.ts'
import { parametersField } from '../parameter/parameter-list.ts'
import { createPartValidator } from '../plugins/validation.ts'
import { flawedStock } from '../stock/inconsistent-stock.ts'
import { locationDetail, locationParameters } from '../stock/location/stock-location.resource.ts'
import { sumInProduction } from '../stock/quantity-in-production.ts'
import { unitInput } from '../units/unit-input.ts'
import { ownerRef } from '../user/owner/owner.resource.ts'
import { defaultLocationSql, partCategoryBrief } from './category/part-category.resource.ts'
import { deletePart, deleteParts } from './delete-part.ts'
import {
  completeNewPart,
  completeNewParts,
  completePart,
  duplicateInput,
  initialStockInput,
  initialSupplierInput,
} from './new-part.ts'
import { partParameterBrief } from './parameter/part-parameter-fields.ts'
import { isSubscribed, partFilters } from './part.filters.ts'
import { part as table } from './part.table.ts'
import { partErrors } from './part-errors.ts'
import { ONLY_PARTS, PART_FLAGS } from './part-flags.ts'
import { partQuantity } from './part-quantity.table.ts'
import { checkNewParts, checkPart, lockPart } from './part-rules.ts'
import { partPriceFields } from './price-break.ts'
import { partPricing } from './pricing/part-pricing.table.ts'
import { salePrice } from './sale-price/sale-price.table.ts'
import { starredField, subscribeToPart } from './subscribe.ts'

extend(table, partQuantity)
extend(table, partPricing, 'part')

const PATH = '/api/part/'

/** Folder of part images. */
export const PART_IMAGES = 'part_images'

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableMoney = Type.Union([Type.String({ format: 'decimal' }), Type.Null()])
const NullableKey = Type.Union([Type.Integer(), Type.Null()])

/** A sum of `part_quantity`, in the units of the part. */
const quantity = (
  name: keyof typeof partQuantity.$inferSelect,
  help: string,
  options: { label?: string; type?: string } = {},
): f.Field =>
  f.computed(Type.Number(), `trim_scale({part_quantity.${name}})`, {
    ...options,
    help: `${help}, in units of the part.`,
    order: true,
  })

const count = (name: 'stock_item_count' | 'suppliers', label: string, help: string): f.Field =>
  f.computed(Type.Integer(), `{part_quantity.${name}}`, { label, help })

const price = (column: 'overall_min' | 'overall_max', help: string): f.Field => ({
  ...f.computed(NullableMoney, `{part_pricing.${column}}::text`, {
    type: 'decimal',
    help: `${help} in the currency of its prices (\`/api/part/{id}/pricing/\`), as last calculated; null if never.`,
  }),
  order: [`{part_pricing.${column}}`],
})

const flag = (name: keyof typeof PART_FLAGS, label?: string): f.Field => {
  const { key, help } = PART_FLAGS[name]
  return f.column(table[name], {
    filter: true,
    default: (services: Services) => setting(services, key),
    label,
    help,
  })
}

/** The quantity that open build orders of a part have not completed yet. */
const SCHEDULED_TO_BUILD = `trim_scale(coalesce((
  select sum(greatest(build.quantity - build.completed, 0)) {from build_order} build where build.part = {pk} and is_active_build(build.status)
), 0))`

export const part = resource({
  path: PATH,
  name: 'Part',
  description:
    'Anything that is bought, made, stored or sold. Its quantities in stock and on order come from stock items and orders. It can be a variant of another part, its template, whose stock includes that of all variants.',
  remarks: {
    list: 'Filter by parameters with `parameter_<key of the template>=<value>`, and with `_gt`, `_gte`, `_lt`, `_lte`, `_ne`, `_in` (any of several values, separated by commas) or `_icontains` after the key. The value can be in any unit that converts to the units of the template, so `4k7` equals `4700 ohm`; without units, texts are compared, case-insensitive. A value that does not convert and an unknown template are rejected. Parts without the parameter are excluded. When ordered by `parameter_<key of the template>`, parts without it come last.',
    create:
      'Creates its initial stock (`initial_stock`), a supplier part and a manufacturer part (`initial_supplier`) in the same transaction. The combination of name, IPN and revision must be new. The caller becomes its `creation_user`. Missing flags get their defaults from the settings (`PART_ASSEMBLY`, `PART_COMPONENT`, `PART_PURCHASEABLE`, `PART_SALABLE`, `PART_TEMPLATE`, `PART_TRACKABLE`, `PART_VIRTUAL`).',
    update:
      'A new `variant_of` moves it to another template, with its own variants; rejects one of these variants, and a template whose variants already use one of their serial numbers. `starred` applies to the caller only. Rejects a minimum stock above the maximum stock.',
    delete:
      'Rejects an `active` or `locked` part, and one that the BOM of a locked part needs. Deletes its stock, supplier parts and manufacturer parts as well; its variants remain, without a template.',
  },
  errors: { delete: { method_not_allowed: 'The part is `active`: make it inactive first.' } },
  example: {
    pk: 25,
    create: {
      name: 'Resistor 22 kΩ',
      IPN: 'R-22K',
      description: 'Chip resistor 0603, 1 %, 100 mW',
      category: 2,
      minimum_stock: 1000,
      tags: ['smd'],
      initial_stock: { quantity: 500, location: 5 },
      initial_supplier: { supplier: 1, sku: 'BW-1105' },
    },
    replace: {
      name: 'Battery AA',
      IPN: 'V-AA',
      description: 'Alkaline, 1.5 V',
      category: 10,
      default_supplier: 19,
      default_expiry: 1825,
      minimum_stock: 120,
      keywords: 'cell mignon',
    },
    change: { minimum_stock: 120, starred: true },
    deletable: 14,
  },
  model: 'part',
  table,
  formerFile: FORMER_FILES.parts,
  access: roles('part'),
  bulkUpdate: true,
  deletesExclusively: true,
  locksFirst: lockPart,
  fields: {
    active: f.column(table.active, {
      filter: true,
      default: true,
      help: 'Whether it is in use. Only an inactive part can be deleted; stock cannot be converted to one.',
    }),
    assembly: flag('assembly'),
    barcode_hash: barcodeHash(table.barcode_hash),
    category: f.ref(table.category, {
      required: true,
      nullable: false,
      order: true,
      model: 'partcategory',
      apiUrl: '/api/part/category/',
      api530: { input: { required: false, nullable: true } },
      help: 'The category, which must not be structural.',
    }),
    category_detail: f.nested(table.category, () => partCategoryBrief(), {
      flag: { name: 'category_detail' },
      help: 'The category.',
    }),
    category_name: f.extended(
      f.computed(NullableText, '{category.name}', { type: 'string', label: 'Category Name', help: 'The name of the category.' }),
    ),
    category_path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('part_category', '{category.path}'),
      {
        flag: { name: 'path_detail' },
        help: 'Keys and names of its categories, from the top down.',
        api530: {
          value: {
            schema: Type.Null(),
            sql: `case when {category} is not null then ${pathDetail('part_category', '{category.path}')} end`,
          },
        },
      },
    ),
    component: flag('component'),
    consumable: f.column(table.consumable, {
      filter: true,
      help: 'Whether every BOM line with it is consumable: build orders do not allocate or count it.',
    }),
    creation_date: f.readonly(table.creation_date, {
      order: true,
      label: 'Creation Date',
      help: 'The creation date, in UTC.',
    }),
    creation_user: f.ref(table.creation_user, {
      api530: { metadata: { read_only: true, label: 'Creation User' } },
      label: 'Creation user',
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that created it; for a new part always the caller.',
    }),
    default_expiry: f.column(table.default_expiry, {
      min: 0,
      default: 0,
      label: 'Default Expiry',
      help: 'The shelf life, in days: sets the expiry date of new stock. 0 for unlimited.',
    }),
    default_location: f.ref(table.default_location, {
      order: true,
      filter: true,
      model: 'stocklocation',
      apiUrl: '/api/stock/location/',
      label: 'Default Location',
      help: 'The default location for new stock; empty for none.',
    }),
    default_location_detail: f.nested(table.default_location, () => locationDetail(), {
      flag: { name: 'location_detail' },
      help: 'The default location.',
    }),
    default_supplier: f.ref(table.default_supplier, {
      model: 'supplierpart',
      apiUrl: '/api/company/part/',
      label: 'Default Supplier',
      help: 'The default supplier part; empty for none.',
    }),
    description: f.column(table.description, { search: true, help: 'A short description; empty for none.' }),
    full_name: f.computed(Type.String(), '{full_name}', {
      type: 'field',
      help: 'The display name: by default IPN, name and revision, formatted by PART_NAME_FORMAT.',
    }),
    image: picture(table.image, PART_IMAGES),
    remote_image: remotePicture(table.image, PART_IMAGES),
    existing_image: f.writeOnly(input.text({ blank: false, max: 250 }), {
      label: 'Existing Image',
      help: 'The file name of the image of another part, to use for this part too.',
    }),
    IPN: f.column(table.IPN, {
      filter: 'iexact',
      search: true,
      order: true,
      api530: { metadata: { default: '' } },
      label: 'IPN',
      help: 'The internal part number; empty for none. Settings may require a pattern and a unique number.',
    }),
    is_template: flag('is_template', 'Is Template'),
    keywords: f.column(table.keywords, {
      search: true,
      help: 'Further search keywords; empty for none.',
    }),
    last_stocktake: f.column(table.last_stocktake, {
      order: true,
      label: 'Last Stocktake',
      help: 'The day of the last stocktake; empty if never.',
    }),
    link: link(table.link),
    locked: {
      ...f.column(table.locked, {
        filter: true,
        help: 'Whether its BOM and its parameters cannot be changed, and it cannot be deleted.',
      }),
      isKeptOnPut: true,
    },
    minimum_stock: f.column(table.minimum_stock, {
      required: true,
      form: 'number',
      min: 0,
      default: '0',
      api530: { metadata: { label: 'Minimum Stock' }, input: { required: false } },
      help: 'The minimum stock, variants included and in units of the part. Below it, the part has low stock. 0 for none.',
    }),
    maximum_stock: f.column(table.maximum_stock, {
      form: 'number',
      min: 0,
      label: 'Maximum Stock',
      help: 'The maximum stock, variants included and in units of the part, not below the minimum stock. 0 for none.',
    }),
    name: f.column(table.name, {
      required: true,
      search: true,
      order: true,
      help: 'The name of the part. The combination of name, IPN and revision is unique.',
    }),
    notes: notes(table.notes),
    price_breaks: f.rows(salePrice.part, () => ({ table: salePrice, fields: partPriceFields(salePrice) }), {
      flag: { name: 'price_breaks' },
      help: 'Its sale prices.',
    }),
    parameters: f.rows(parameter.part, () => partParameterBrief(), {
      flag: { name: 'parameters' },
      help: 'Its parameters, such as its resistance.',
      api530: { value: parametersField('part') },
    }),
    pk: f.pk(table.pk),
    purchaseable: flag('purchaseable'),
    revision: f.column(table.revision, {
      search: true,
      api530: { metadata: { default: '' } },
      help: 'The revision, such as C or 2.1; empty for none.',
    }),
    revision_of: f.ref(table.revision_of, {
      filter: true,
      model: 'part',
      apiUrl: PATH,
      label: 'Revision Of',
      help: 'The part that it is a revision of, not a template; empty for none. A revision needs the text of its revision.',
    }),
    revision_count: f.computed(Type.Integer(), '(select count(*) {from part} revised where revised.revision_of = {pk})', {
      label: 'Revisions',
      help: 'The number of its revisions.',
    }),
    salable: flag('salable'),
    starred: starredField(isSubscribed, 'Whether the caller is subscribed to the part itself, not to a template or category.'),
    thumbnail: f.computed(Type.String(), buildThumbnailUrlSql('{image}'), {
      help: 'The URL of its thumbnail, or of a blank one if it has no image.',
    }),
    testable: {
      ...f.column(table.testable, {
        filter: true,
        help: 'Whether it can have tests, as a trackable part always can. A new trackable part is testable by default.',
      }),
      isKeptOnPut: true,
    },
    trackable: flag('trackable'),
    units: {
      ...f.column(table.units, {
        order: true,
        help: 'The unit of all its quantities, such as m or kg, or a custom unit; empty for pieces.',
      }),
      input: unitInput({ max: 20, nullable: true, default: '' }),
    },
    variant_of: f.ref(table.variant_of, {
      filter: true,
      only: ONLY_PARTS.template,
      filters: { is_template: true },
      model: 'part',
      apiUrl: PATH,
      label: 'Variant Of',
      help: 'The template that it is a variant of; empty for none. A template and its variants share one range of serial numbers.',
    }),
    virtual: flag('virtual'),
    pricing_min: price('overall_min', 'The minimum cost of one unit,'),
    pricing_max: price('overall_max', 'The maximum cost of one unit,'),
    pricing_updated: {
      ...f.computed(NullableText, f.isoTimestamp('{part_pricing.updated}'), {
        type: 'datetime',
        help: 'When its prices were last calculated; null if never.',
      }),
      order: ['{part_pricing.updated}'],
    },
    responsible: ownerRef(table.responsible),
    allocated_to_build_orders: quantity('allocated_to_build_orders', 'The quantity allocated to build orders'),
    allocated_to_sales_orders: quantity('allocated_to_sales_orders', 'The quantity allocated to sales orders'),
    allocated_to_transfer_orders: quantity('allocated_to_transfer_orders', 'The quantity allocated to transfer orders'),
    building: {
      ...quantity('building', 'The quantity in production on build orders'),
      api530: { value: { sql: `trim_scale(${sumInProduction('{pk}')})` } },
    },
    scheduled_to_build: f.extended(
      f.computed(Type.Number(), SCHEDULED_TO_BUILD, {
        label: 'Scheduled to Build',
        help: 'The quantity that open build orders have not completed yet, in units of the part.',
      }),
    ),
    category_default_location: f.computed(NullableKey, defaultLocationSql('{category.path}'), {
      type: 'integer',
      help: 'The default location of its category, otherwise of the nearest category above that has one; null if none has.',
    }),
    in_stock: {
      ...quantity('in_stock', 'The quantity in stock of the part itself, without variants'),
      api530: { metadata: { label: 'In Stock' } },
    },
    ordering: quantity('ordering', 'The quantity on order', { label: 'On Order' }),
    required_for_build_orders: quantity('required_for_build_orders', 'The quantity required for open build orders', {
      type: 'integer',
    }),
    required_for_sales_orders: quantity('required_for_sales_orders', 'The quantity still required for open sales orders', {
      type: 'integer',
    }),
    stock_item_count: count('stock_item_count', 'Stock Items', 'The number of stock items of the part itself, in stock or not.'),
    suppliers: count('suppliers', 'Suppliers', 'The number of its supplier parts.'),
    total_in_stock: quantity('total_in_stock', 'The quantity in stock of the part and its variants', { label: 'Total Stock' }),
    external_stock: quantity('external_stock', 'The quantity of `in_stock` in external locations', { label: 'External Stock' }),
    unallocated_stock: quantity('unallocated_stock', 'The quantity of `total_in_stock` that is not allocated to orders', {
      label: 'Unallocated Stock',
    }),
    incoming: createIncomingField('{pk}'),
    flawed_stock: flawedStock({ parts: '(select variant.pk {from part} variant where variant.path @> array[{pk}])' }),
    variant_stock: quantity('variant_stock', 'The quantity in stock of its variants', { label: 'Variant Stock' }),
    duplicate: f.writeOnly(duplicateInput),
    initial_stock: f.writeOnly(initialStockInput),
    initial_supplier: f.writeOnly(initialSupplierInput),
    copy_category_parameters: f.writeOnly(
      input.boolean({
        default: true,
        label: 'Copy Category Parameters',
        help: 'Whether a new part gets the parameters of its category and the categories above it, with their default values.',
      }),
      { constant: 'true', schema: Type.Boolean() },
    ),
    tags: { ...tags(table.tags), flag: { name: 'tags', list: true, detail: true, api530: false } },
  },
  parameters: locationParameters,
  filters: { ...importedFilter('part'), ...partFilters },
  search: [
    '{category.name}',
    `{pk} in (select manufactured.part {from manufacturer_part} manufactured where ${buildContains('manufactured."MPN"')})`,
    `{pk} in (select supplied.part {from supplier_part} supplied where ${buildContains('supplied."SKU"')})`,
    tagSearch,
  ],
  order: { id: ['{pk}'] },
  orderFamily: orderByParameter('part', '{name} asc'),
  defaultOrder: ['name'],
  constraints: {
    part_name_IPN_revision_key: { non_field_errors: [partErrors.part_name_taken] },
    part_bom_loop: { variant_of: [partErrors.variant_loop] },
    part_variant_of_cycle: { variant_of: [partErrors.variant_of_itself] },
  },
  suggestValues: async (services) =>
    Object.fromEntries(Object.entries(PART_FLAGS).map(([name, { key }]) => [name, setting(services, key)])),
  completeBody: completePart,
  reviewWrites: (services) => createPartValidator(services, part),
  rules: checkPart,
  afterCreate: completeNewPart,
  batch: { rules: checkNewParts, afterCreate: completeNewParts },
  async afterUpdate({ tx, caller, values }, pk) {
    if (values.trackable === true) await trackAssemblies(tx, [pk])
    if (typeof values.variant_of === 'number') await trackByComponents(tx, pk)
    if (values.starred !== undefined) await subscribeToPart(tx, caller.pk, pk, values.starred === true)
  },
  beforeDelete: deletePart,
  beforeDeleteMany: deleteParts,
})

/** A part inside another object, with the fields that a list of parts shows by default. */
export const partDetail = f.brief(
  () => part,
  Object.keys(part.fields).filter((name) => {
    const { flag, sql, nested, rows } = part.fields[name] as f.Field
    return (!flag || name === 'tags') && (sql || nested || rows)
  }),
)

/** The same for clients of API 530, who do not expect quantities inside other objects. */
export const partDetailWithoutSums = f.brief(
  () => part,
  Object.keys(partDetail().fields),
  Object.fromEntries(
    Object.entries(part.fields)
      .filter(([name, { sql }]) => name === 'revision_count' || name === 'scheduled_to_build' || sql?.includes('part_quantity.'))
      .map(([name]) => [name, f.uncomputed()]),
  ),
  ['category_name'],
)

/** A part inside another object, with fewer fields. */
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
  { minimum_stock: f.extended(f.computed(Type.String(), '{minimum_stock}::text', { help: 'The minimum stock, as text.' })) },
  ['default_expiry', 'locked', 'component', 'testable', 'consumable'],
)
