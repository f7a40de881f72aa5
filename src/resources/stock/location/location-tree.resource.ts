import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { locationIcon, locationParameters, SUBLOCATION_COUNT, SUBLOCATIONS_HELP } from './stock-location.resource.ts'
import { stockLocation as table } from './stock-location.table.ts'

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
    name: f.readonly(table.name, { order: true }),
    parent: f.ref(table.parent, { readonly: true, model: 'stocklocation', address: '/api/stock/location/' }),
    icon: f.computed(Type.String(), locationIcon),
    structural: f.readonly(table.structural),
    sublocations: f.computed(Type.Integer(), SUBLOCATION_COUNT, { order: true, help: SUBLOCATIONS_HELP }),
  },
  parameters: locationParameters,
  order: { level: ['{level}'] },
  defaultOrder: ['level', 'name'],
})
