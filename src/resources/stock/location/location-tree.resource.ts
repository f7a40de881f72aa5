import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { treeSearch } from '../../../kit/definition/tree.ts'
import { roles } from '../../../kit/request/caller.ts'
import { locationIcon, locationParameters, SUBLOCATION_COUNT, SUBLOCATIONS_HELP } from './stock-location.resource.ts'
import { stockLocation as table } from './stock-location.table.ts'

/** The position of its tree among all trees, by the names of their roots. */
const TREE_ID = `(select count(*) {from stock_location} root where root.parent is null and root.name <= {name_path}[1])`

export const locationTree = resource({
  path: '/api/stock/location/tree/',
  name: 'Stock location tree',
  description: 'All stock locations with the fields that are needed to draw their tree, level by level.',
  model: 'stocklocation',
  table,
  access: roles('stock_location'),
  without: ['detail', 'create', 'update', 'delete', 'metadata'],
  fields: {
    pk: f.pk(table.pk),
    name: f.readonly(table.name, { order: true, api530: { metadata: { read_only: false } } }),
    description: f.extended(f.readonly(table.description, { api530: { metadata: { read_only: false, required: false } } })),
    pathstring: f.extended(
      f.readonly(table.pathstring, { api530: { metadata: { read_only: false, required: false, label: 'Path' } } }),
    ),
    level: f.extended(
      f.readonly(table.level, { filter: true, order: true, help: 'The number of locations above it; 0 at the top.' }),
    ),
    tree_id: f.extended(
      f.computed(Type.Integer(), TREE_ID, {
        help: 'The position of its tree among all trees, by the names of their roots.',
        filter: { kind: 'number', sql: `${TREE_ID} = {@value}` },
      }),
    ),
    parent: f.ref(table.parent, {
      api530: { metadata: { read_only: false, required: false } },
      help: 'The parent location; null at the top.',
      readonly: true,
      filter: true,
      model: 'stocklocation',
      apiUrl: '/api/stock/location/',
    }),
    icon: f.computed(Type.String(), locationIcon, { api530: { metadata: { type: 'field' } } }),
    structural: f.readonly(table.structural, { api530: { metadata: { read_only: false, required: false } } }),
    sublocations: f.computed(Type.Integer(), SUBLOCATION_COUNT, { order: true, help: SUBLOCATIONS_HELP }),
  },
  parameters: locationParameters,
  filters: {
    max_level: { kind: 'number', sql: '{level} <= {@value}', help: 'Those with at most this many locations above them.' },
  },
  searchMinApiVersion: 530,
  search: [treeSearch('stock_location')],
  defaultOrder: ['level', 'name'],
})
