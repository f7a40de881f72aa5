import { Type } from 'typebox'
import { barcodeHash } from '../../../kit/definition/common.ts'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tags } from '../../../kit/definition/tags.ts'
import { pathDetail, pathString, subtreeCount, treeFilters } from '../../../kit/definition/tree.ts'
import { roles } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import { setting } from '../../../settings/live.ts'
import { webPageSql } from '../../../web-pages.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { importedFilter } from '../../imported-filter.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../parameter/parameter-list.ts'
import { ownerRef } from '../../user/owner/owner.resource.ts'
import { owner } from '../../user/owner/owner.table.ts'
import { locationTypeDetail } from '../location-type/stock-location-type.resource.ts'
import { stockErrors } from '../stock-errors.ts'
import { clearLocation } from './clear-location.ts'
import { stockLocation as table } from './stock-location.table.ts'

const PATH = '/api/stock/location/'

/** Icon of a location: its own, otherwise that of its type, otherwise that of the setting. Needs `locationParameters`. */
export const locationIcon = `case when {custom_icon} <> '' then {custom_icon} when {location_type} is not null then {location_type.icon} else {@location_icon} end`

export const LOCATION_PATH = Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String(), icon: Type.String() }))

/** Keys, names and icons of a location and those above it, by its `path`, as clients of API 530 know them. */
export const locationPath = (path: string) =>
  pathDetail(
    'stock_location',
    path,
    `case when above.custom_icon <> '' then above.custom_icon else coalesce(
      (select type.icon {from stock_location_type} type where type.pk = above.location_type), {@location_icon}, '') end`,
  )

export const locationParameters = {
  location_icon: (services: Services) => setting(services, 'STOCK_LOCATION_DEFAULT_ICON'),
}

/** SQL for the number of locations below a location, at any depth. */
export const SUBLOCATION_COUNT =
  '(select count(*) {from stock_location} below where below.path @> array[{pk}] and below.pk <> {pk})'

export const SUBLOCATIONS_HELP = 'The number of locations below it, at any depth.'

const ICON_HELP =
  'The icon to show: its own, otherwise the icon of its type, otherwise STOCK_LOCATION_DEFAULT_ICON; may be empty.'

export const stockLocation = resource({
  path: PATH,
  name: 'Stock location',
  description: 'A location in the tree of stock locations. Stock in a location also counts as stock in all locations above it.',
  remarks: {
    create: 'Rejects a name that another location with the same parent has.',
    update:
      'A new `parent` moves it with everything below it. Rejects a parent below itself, and a name that the new parent already has.',
    delete:
      'Moves its stock, and the locations directly below it, to its parent, or to none; the history of the items records it. Rejected if the parent has a location with the same name. The body can request more: `delete_stock_items: 1` deletes its stock, and `delete_sub_locations: 1` all locations below it, whose stock follows the same rule.',
  },
  example: {
    pk: 11,
    create: { name: 'Shelf D', description: 'Returned instruments', parent: 3, location_type: 4, owner: 2 },
    replace: { name: 'Shelf C', description: 'Circuit boards', parent: 3, location_type: 4, owner: 2, tags: ['antistatic'] },
    change: { description: 'Circuit boards, bare and assembled; wear the strap' },
    deletable: 20,
  },
  model: 'stocklocation',
  table,
  formerFile: FORMER_FILES.locations,
  access: roles('stock_location'),
  bulkUpdate: true,
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    barcode_hash: barcodeHash(table.barcode_hash),
    url: f.computed(Type.String(), webPageSql('/api/stock/location/'), {
      help: 'The path of its page in the interface of existing clients.',
    }),
    name: f.column(table.name, {
      required: true,
      filter: true,
      search: true,
      order: true,
      help: 'The name of the location, unique within its parent location.',
    }),
    level: f.readonly(table.level, { order: true, help: 'The number of locations above it; 0 at the top.' }),
    description: f.column(table.description, { search: true, help: 'A short description; empty for none.' }),
    parent: f.ref(table.parent, {
      model: 'stocklocation',
      apiUrl: PATH,
      api530: { metadata: { label: 'Parent Location' } },
      help: 'The parent location; empty at the top.',
    }),
    pathstring: pathString(),
    path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('stock_location', '{path}'),
      {
        flag: { name: 'path_detail' },
        help: 'Keys and names from the top down to it.',
        api530: { value: { schema: LOCATION_PATH, sql: locationPath('{path}') } },
      },
    ),
    items: f.computed(Type.Integer(), subtreeCount('stock_location', 'stock_item'), {
      order: true,
      label: 'Stock Items',
      help: 'The number of stock items in it and in the locations below it at any depth.',
    }),
    sublocations: f.computed(Type.Integer(), SUBLOCATION_COUNT, { help: SUBLOCATIONS_HELP }),
    owner: {
      ...ownerRef(table.owner, {
        label: 'Owner',
        help: 'The user or group responsible for it; empty for none.',
      }),
      filter: {
        kind: 'reference',
        table: () => owner,
        sql: '{owner} = {@value}',
        help: 'Locations that the user or group with this key in `/api/user/owner/` is responsible for.',
      },
    },
    icon: f.computed(Type.String(), locationIcon, { help: ICON_HELP }),
    custom_icon: f.column(table.custom_icon, {
      label: 'Icon',
      help: 'The name of its own icon; empty for the icon of its type.',
    }),
    structural: f.column(table.structural, {
      filter: true,
      help: 'Whether it only groups other locations. A structural location cannot hold stock, and a location with stock cannot become structural.',
    }),
    external: f.column(table.external, {
      filter: true,
      help: 'Whether it is an external location. The pages of parts show stock in external locations separately.',
    }),
    location_type: f.ref(table.location_type, {
      filter: true,
      model: 'stocklocationtype',
      apiUrl: '/api/stock/location-type/',
      help: 'The location type; empty for none. A location without an icon has the icon of its type.',
    }),
    location_type_detail: f.nested(table.location_type, locationTypeDetail, { help: 'The location type.' }),
    tags: tags(table.tags),
    parameters: parametersField('stock_location'),
  },
  parameters: locationParameters,
  search: [tagSearch],
  searchedBy530: ['{pathstring}'],
  orderFamily: parameterOrders('stock_location'),
  filters: {
    ...importedFilter('stocklocation'),
    ...parameterFilters('stock_location'),
    ...tagFilters,
    has_location_type: { kind: 'boolean', sql: '{location_type} is not null', help: 'Whether they have a location type.' },
    ...treeFilters(() => table),
  },
  order: { tree_id: ['{name_path}'], lft: ['{name_path}'] },
  defaultOrder: ['tree_id'],
  constraints: {
    stock_location_parent_name_key: { name: [stockErrors.location_name_taken] },
    stock_location_root_name_key: { name: [stockErrors.location_name_taken] },
    stock_location_parent_cycle: { parent: [stockErrors.location_below_itself] },
  },
  async rules({ tx, before, values, errors }) {
    const changes = (name: string) => values[name] !== undefined && values[name] !== before?.[name]
    // all locations below it are rewritten with it, or the stock sums of its items
    if (before && ['parent', 'name', 'external'].some(changes)) tx.lockExclusive()
    if (!before || values.structural !== true || before.structural) return
    const [item] = await tx.query('select 1 from stock_item where location = $1 limit 1', [before.pk])
    if (item) errors.non_field_errors = [stockErrors.location_holds_stock]
  },
  // a statement that creates a row and reads it does not find the row in its own path
  afterCreate: () => undefined,
  beforeDelete: (deletion) =>
    clearLocation(deletion, {
      items: isOne(deletion.body.delete_stock_items),
      sublocations: isOne(deletion.body.delete_sub_locations),
    }),
})

/** A location inside another object. */
export const locationBrief = f.brief(() => stockLocation, ['pk', 'name', 'pathstring'], {}, [
  'barcode_hash',
  'level',
  'description',
  'parent',
  'owner',
  'custom_icon',
  'structural',
  'external',
  'location_type',
])

/** A location inside an entry of stock history. */
export const locationDetail = f.brief(
  () => stockLocation,
  [
    'pk',
    'barcode_hash',
    'url',
    'name',
    'level',
    'description',
    'parent',
    'pathstring',
    'owner',
    'icon',
    'custom_icon',
    'structural',
    'external',
    'location_type',
    'location_type_detail',
    'tags',
  ],
)

/** Only 1 selects deletion; any other value is the safe choice. */
const isOne = (value: unknown): boolean => value === 1 || value === '1'
