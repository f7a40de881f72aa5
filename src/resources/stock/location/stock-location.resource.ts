import { Type } from 'typebox'
import { barcodeHash } from '../../../kit/definition/common.ts'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tags } from '../../../kit/definition/tags.ts'
import { pathDetail, pathString, treeFilters } from '../../../kit/definition/tree.ts'
import { roles } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import { setting } from '../../settings/live.ts'
import { ownerRef } from '../../user/owner/owner.resource.ts'
import { locationTypeDetail } from '../location-type/stock-location-type.resource.ts'
import { clearLocation, lockLocations } from './clear-location.ts'
import { stockLocation as table } from './stock-location.table.ts'

const ADDRESS = '/api/stock/location/'

/** The icon shown for a location: its own, else that of its type, else the setting's. Needs `locationParameters`. */
export const locationIcon = `case when {custom_icon} <> '' then {custom_icon} when {location_type} is not null then {location_type.icon} else {@location_icon} end`

export const locationParameters = {
  location_icon: (services: Services) => setting(services, 'STOCK_LOCATION_DEFAULT_ICON'),
}

/** How many locations lie below a location, at any depth. */
export const sublocations = '(select count(*) from stock_location below where below.path @> array[{pk}] and below.pk <> {pk})'

/** Places in which stock lies, in a tree. Whatever lies below a location counts as lying in it. */
export const stockLocation = resource({
  path: ADDRESS,
  name: 'Stock location',
  model: 'stocklocation',
  table,
  access: roles('stock_location'),
  fields: {
    pk: f.pk(table.pk),
    barcode_hash: barcodeHash(table.barcode_hash),
    url: f.computed(Type.String(), `'/stock/location/' || {pk} || '/'`),
    name: f.column(table.name, { required: true, filter: true, search: true, order: true }),
    level: f.readonly(table.level, { order: true }),
    description: f.column(table.description, { search: true }),
    parent: f.ref(table.parent, { model: 'stocklocation', address: ADDRESS }),
    pathstring: pathString(),
    path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('stock_location', '{path}'),
      {
        flag: { name: 'path_detail' },
      },
    ),
    items: f.computed(
      Type.Integer(),
      '(select count(*) from stock_item item join stock_location below on below.pk = item.location where below.path @> array[{pk}])',
      { order: true, label: 'Stock Items' },
    ),
    sublocations: f.computed(Type.Integer(), sublocations),
    owner: ownerRef(table.owner, {
      label: 'Owner',
      help: 'Who looks after the place: an account or a group, by its key in `/api/user/owner/`; null for nobody in particular.',
    }),
    icon: f.computed(Type.String(), locationIcon),
    custom_icon: f.column(table.custom_icon, { label: 'Icon' }),
    structural: f.column(table.structural, { filter: true }),
    external: f.column(table.external, { filter: true }),
    location_type: f.ref(table.location_type, {
      filter: true,
      model: 'stocklocationtype',
      address: '/api/stock/location-type/',
    }),
    location_type_detail: f.nested(table.location_type, locationTypeDetail),
    tags: tags(table.tags),
  },
  parameters: locationParameters,
  search: [tagSearch],
  filters: {
    ...tagFilters,
    has_location_type: { kind: 'boolean', sql: '{location_type} is not null' },
    ...treeFilters(() => table),
  },
  order: { tree_id: ['{name_path}'], lft: ['{name_path}'] },
  defaultOrder: ['tree_id'],
  constraints: {
    stock_location_parent_name_key: { name: ['Duplicate names cannot exist under the same parent'] },
    stock_location_root_name_key: { name: ['Duplicate names cannot exist under the same parent'] },
    stock_location_parent_cycle: { parent: ['A location cannot lie below itself.'] },
  },
  locksFirst: lockLocations,
  async rules({ tx, before, values, errors }) {
    if (!before || values.structural !== true || before.structural) return
    const [item] = await tx.query('select 1 from stock_item where location = $1 limit 1', [before.pk])
    if (item) errors.structural = ['A location that holds stock items cannot become structural.']
  },
  deleting: ({ tx, caller, row, body }) =>
    clearLocation({ tx, caller }, row, {
      items: isChosen(body.delete_stock_items),
      sublocations: isChosen(body.delete_sub_locations),
    }),
})

/** A location inside another object. */
export const locationBrief = f.brief(() => stockLocation, ['pk', 'name', 'pathstring'])

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

/** Only 1 chooses; anything else is the careful way. */
const isChosen = (value: unknown): boolean => value === 1 || value === '1'
