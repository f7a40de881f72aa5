import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { picture, remotePicture, thumbnailAddress } from '../../kit/definition/media.ts'
import { resource } from '../../kit/definition/resource.ts'
import { tagSearch, tags } from '../../kit/definition/tags.ts'
import { pathDetail } from '../../kit/definition/tree.ts'
import { contains } from '../../kit/reading/search.ts'
import { roles } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { extend } from '../../kit/sql/sql.ts'
import { trackAssemblies, trackByComponents } from '../bom/track-assemblies.ts'
import { FORMER_FILES } from '../former-files.ts'
import { incoming } from '../order/po/incoming.ts'
import { consultOnPart } from '../plugins/validation.ts'
import { setting } from '../settings/live.ts'
import { flawedStock } from '../stock/flawed-stock.ts'
import { unitInput } from '../units/unit-input.ts'
import { ownerRef } from '../user/owner/owner.resource.ts'
import { defaultLocation, partCategoryBrief } from './category/part-category.resource.ts'
import { deletePart } from './delete-part.ts'
import { followPart, starred } from './follow.ts'
import { completeNewPart, duplicateInput, initialStockInput, initialSupplierInput } from './new-part.ts'
import { parameterOfPart } from './parameter/parameter-fields.ts'
import { parameterOrder } from './parameter/parameter-filter.ts'
import { partParameter } from './parameter/part-parameter.table.ts'
import { followed, partFilters } from './part.filters.ts'
import { part as table } from './part.table.ts'
import { partErrors } from './part-errors.ts'
import { ONLY_PARTS, PART_FLAGS } from './part-flags.ts'
import { partQuantity } from './part-quantity.table.ts'
import { partRules } from './part-rules.ts'
import { partPricing } from './pricing/part-pricing.table.ts'

extend(table, partQuantity)
extend(table, partPricing, 'part')

const ADDRESS = '/api/part/'

/** The folder of the pictures of parts. */
export const PART_IMAGES = 'part_images'

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableKey = Type.Union([Type.Integer(), Type.Null()])

/** One of the sums of `part_quantity`, in the units of the part. */
const quantity = (
  name: keyof typeof partQuantity.$inferSelect,
  help: string,
  told: { label?: string; type?: string } = {},
): f.Field =>
  f.computed(Type.Number(), `trim_scale({part_quantity.${name}})`, {
    ...told,
    help: `${help}, in units of the part.`,
    order: true,
  })

const count = (name: 'stock_item_count' | 'suppliers', label: string, help: string): f.Field =>
  f.computed(Type.Integer(), `{part_quantity.${name}}`, { label, help })

const price = (column: 'overall_min' | 'overall_max', help: string): f.Field => ({
  ...f.computed(NullableText, `{part_pricing.${column}}::text`, {
    type: 'decimal',
    help: `${help} in the currency of its prices (\`/api/part/{id}/pricing/\`), as last worked out; null if never.`,
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

export const part = resource({
  path: ADDRESS,
  name: 'Part',
  description:
    'A kind of thing that is bought, made, stored or sold. How much there is of it, and what is on its way, follows from stock and orders. It may be a variant of another part, its template, whose stock includes that of all variants.',
  remarks: {
    list: 'By their parameters parts are found with `parameter_<key of the template>=<value>`, and with `_gt`, `_gte`, `_lt`, `_lte` or `_ne` behind the key: the value may be in any unit that the units of the template can be converted to, so that `4k7` is `4700 ohm`; without units texts are compared, in capitals or not. What cannot be converted, or a template that there is not, is refused. A part without the parameter is not found. Ordered by `parameter_<key of the template>`, parts without it come last.',
    create:
      'Its first stock (`initial_stock`), a supplier part and a manufacturer part (`initial_supplier`) are made with it: all of it or nothing. Name, IPN and revision together must be new. The caller becomes its `creation_user`. Flags that are left out are taken from the settings (`PART_ASSEMBLY`, `PART_COMPONENT`, `PART_PURCHASEABLE`, `PART_SALABLE`, `PART_TEMPLATE`, `PART_TRACKABLE`, `PART_VIRTUAL`).',
    update:
      'With a new `variant_of` it moves to another template, and its own variants with it; one of these is refused, and one whose variants have a serial number of theirs in use. `starred` is about the caller alone.',
    delete:
      'Only one that is not `active`. With it go its stock, its supplier parts and its manufacturer parts; its variants stay, and become variants of none.',
  },
  refuses: { delete: { method_not_allowed: 'The part is `active`: it is made inactive first.' } },
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
  deletesExclusively: true,
  fields: {
    active: f.column(table.active, {
      filter: true,
      default: true,
      help: 'Whether it is in use. Only a part that is not can be deleted; no stock is converted into one.',
    }),
    assembly: flag('assembly'),
    barcode_hash: barcodeHash(table.barcode_hash),
    category: f.ref(table.category, {
      required: true,
      nullable: false,
      order: true,
      model: 'partcategory',
      address: '/api/part/category/',
      help: 'The category into which it is sorted, which must not be structural.',
    }),
    category_detail: f.nested(table.category, () => partCategoryBrief(), {
      flag: { name: 'category_detail' },
      help: 'The category.',
    }),
    category_path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('part_category', '{category.path}'),
      { flag: { name: 'path_detail' }, help: 'Keys and names of its categories, from the top down.' },
    ),
    component: flag('component'),
    creation_date: f.readonly(table.creation_date, {
      order: true,
      label: 'Creation Date',
      help: 'The day on which it was made here, in UTC.',
    }),
    creation_user: f.ref(table.creation_user, {
      label: 'Creation user',
      model: 'user',
      address: '/api/user/',
      help: 'The account that made it: of a new part always your own.',
    }),
    default_expiry: f.column(table.default_expiry, {
      min: 0,
      default: 0,
      label: 'Default Expiry',
      help: 'How many days new stock of it keeps, for which no expiry date is given. 0: without end.',
    }),
    default_location: f.ref(table.default_location, {
      filter: true,
      model: 'stocklocation',
      address: '/api/stock/location/',
      label: 'Default Location',
      help: 'Where new stock of it goes when no place is given; empty for no place of its own.',
    }),
    default_supplier: f.ref(table.default_supplier, {
      model: 'supplierpart',
      address: '/api/company/part/',
      label: 'Default Supplier',
      help: 'The supplier part as which it is usually bought; empty for none.',
    }),
    description: f.column(table.description, { search: true, help: 'What it is, in a line; empty for none.' }),
    full_name: f.computed(Type.String(), '{full_name}', {
      type: 'field',
      help: 'What people call it: by default IPN, name and revision, put together as PART_NAME_FORMAT says.',
    }),
    image: picture(table.image, PART_IMAGES),
    remote_image: remotePicture(table.image, PART_IMAGES),
    existing_image: f.writeOnly(input.text({ blank: false, max: 250 }), {
      label: 'Existing Image',
      help: 'The file name of the picture of any part: it becomes the picture of this one too.',
    }),
    IPN: f.column(table.IPN, {
      filter: 'iexact',
      search: true,
      order: true,
      label: 'IPN',
      help: 'The internal part number, empty for none. It may have to follow a pattern, and to be new.',
    }),
    is_template: flag('is_template', 'Is Template'),
    keywords: f.column(table.keywords, {
      search: true,
      help: 'Further words by which a search finds it; empty for none.',
    }),
    last_stocktake: f.column(table.last_stocktake, {
      order: true,
      label: 'Last Stocktake',
      help: 'The day on which all its stock was last counted; empty if never.',
    }),
    link: link(table.link),
    minimum_stock: f.column(table.minimum_stock, {
      required: true,
      form: 'number',
      min: 0,
      default: '0',
      help: 'With less stock than this, variants included and in units of the part, it counts as low. 0: never.',
    }),
    name: f.column(table.name, {
      required: true,
      search: true,
      order: true,
      help: 'What it is called. No other part has the same name, IPN and revision.',
    }),
    notes: notes(table.notes),
    parameters: f.rows(partParameter.part, () => parameterOfPart(), {
      flag: { name: 'parameters' },
      help: 'What its properties are, such as its resistance.',
    }),
    pk: f.pk(table.pk),
    purchaseable: flag('purchaseable'),
    revision: f.column(table.revision, {
      search: true,
      help: 'Which version of it this is, such as C or 2.1; empty for none.',
    }),
    salable: flag('salable'),
    starred: starred(followed, 'Whether the caller follows the part itself, not by way of a template or category.'),
    thumbnail: f.computed(Type.String(), thumbnailAddress('{image}'), {
      help: 'The address of its picture in small; of a blank one where it has none.',
    }),
    trackable: flag('trackable'),
    units: {
      ...f.column(table.units, {
        order: true,
        help: 'The unit in which all its quantities are, such as m or kg, or one of your own; empty for pieces.',
      }),
      input: unitInput({ max: 20, nullable: true, default: '' }),
    },
    variant_of: f.ref(table.variant_of, {
      filter: true,
      only: ONLY_PARTS.template,
      filters: { is_template: true },
      model: 'part',
      address: ADDRESS,
      label: 'Variant Of',
      help: 'The template of which it is a variant, empty for none. A template and its variants share one range of serial numbers.',
    }),
    virtual: flag('virtual'),
    pricing_min: price('overall_min', 'The least that one unit costs,'),
    pricing_max: price('overall_max', 'The most that one unit costs,'),
    pricing_updated: {
      ...f.computed(NullableText, f.moment('{part_pricing.updated}'), {
        type: 'datetime',
        help: 'When its prices were last worked out; null if never.',
      }),
      order: ['{part_pricing.updated}'],
    },
    responsible: ownerRef(table.responsible),
    allocated_to_build_orders: quantity('allocated_to_build_orders', 'How much of it is put by for build orders'),
    allocated_to_sales_orders: quantity('allocated_to_sales_orders', 'How much of it is put by for sales orders'),
    building: quantity('building', 'How much of it build orders are making'),
    category_default_location: f.computed(NullableKey, defaultLocation('{category.path}'), {
      type: 'integer',
      help: 'The default location of its category, else of the nearest category above that has one; null when none has.',
    }),
    in_stock: quantity('in_stock', 'How much is in stock of the part itself, without variants'),
    ordering: quantity('ordering', 'How much is still to come on open purchase orders', { label: 'On Order' }),
    required_for_build_orders: quantity('required_for_build_orders', 'How much open build orders ask for', { type: 'integer' }),
    required_for_sales_orders: quantity('required_for_sales_orders', 'How much open sales orders still ask for', {
      type: 'integer',
    }),
    stock_item_count: count(
      'stock_item_count',
      'Stock Items',
      'How many stock items of the part itself there are, in stock or not.',
    ),
    suppliers: count('suppliers', 'Suppliers', 'How many supplier parts it has.'),
    total_in_stock: quantity('total_in_stock', 'How much is in stock of the part and its variants', { label: 'Total Stock' }),
    external_stock: quantity('external_stock', 'How much of `in_stock` lies in external locations', { label: 'External Stock' }),
    unallocated_stock: quantity('unallocated_stock', 'How much of `total_in_stock` is not put by for orders', {
      label: 'Unallocated Stock',
    }),
    incoming: incoming('{pk}'),
    flawed_stock: flawedStock({ parts: '(select one.pk {from part} one where one.path @> array[{pk}])' }),
    variant_stock: quantity('variant_stock', 'How much is in stock of its variants', { label: 'Variant Stock' }),
    duplicate: f.writeOnly(duplicateInput),
    initial_stock: f.writeOnly(initialStockInput),
    initial_supplier: f.writeOnly(initialSupplierInput),
    copy_category_parameters: f.writeOnly(
      input.boolean({
        default: true,
        label: 'Copy Category Parameters',
        help: 'Whether a new part gets the parameters that its category gives, and the categories above it, with their values.',
      }),
      { shown: 'true', schema: Type.Boolean() },
    ),
    tags: tags(table.tags),
  },
  filters: partFilters,
  search: [
    '{category.name}',
    `{pk} in (select made.part {from manufacturer_part} made where ${contains('made."MPN"')})`,
    `{pk} in (select sold.part {from supplier_part} sold where ${contains('sold."SKU"')})`,
    tagSearch,
  ],
  orderFamily: parameterOrder,
  defaultOrder: ['name'],
  constraints: {
    part_name_IPN_revision_key: { non_field_errors: [partErrors.part_name_taken] },
    part_bom_loop: { variant_of: [partErrors.variant_loop] },
    part_variant_of_cycle: { variant_of: [partErrors.variant_of_itself] },
  },
  suggested: async (services) =>
    Object.fromEntries(Object.entries(PART_FLAGS).map(([name, { key }]) => [name, setting(services, key)])),
  consult: (services) => consultOnPart(services, part),
  rules: partRules,
  created: completeNewPart,
  async updated({ tx, caller, values }, pk) {
    if (values.trackable === true) await trackAssemblies(tx, [pk])
    if (typeof values.variant_of === 'number') await trackByComponents(tx, pk)
    if (values.starred !== undefined) await followPart(tx, caller.pk, pk, values.starred === true)
  },
  deleting: deletePart,
})

/** A part inside another object, with all that a list of parts shows of it unasked. */
export const partDetail = f.brief(
  () => part,
  Object.keys(part.fields).filter((name) => {
    const { flag, sql, nested, rows } = part.fields[name] as f.Field
    return !flag && (sql || nested || rows)
  }),
)

/** The same with less. */
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
