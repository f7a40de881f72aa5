import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { stockLocationType as table } from './stock-location-type.table.ts'

export const stockLocationType = resource({
  path: '/api/stock/location-type/',
  name: 'Stock location type',
  description: 'A type of stock location, such as shelf or box, with the default icon of its locations.',
  remarks: { delete: 'Locations of the type are not deleted; they no longer have a type.' },
  example: {
    pk: 4,
    create: { name: 'Pallet', description: 'A pallet on the floor', icon: 'ti:box' },
    replace: { name: 'Shelf', description: 'Open shelf with boxes' },
    change: { icon: 'ti:stack' },
    deletable: 6,
  },
  model: 'stocklocationtype',
  table,
  access: roles('stock_location'),
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, { required: true, search: true, order: true, help: 'The name of the type.' }),
    description: f.column(table.description, { help: 'A short description of the type; empty for none.' }),
    icon: f.column(table.icon, {
      order: true,
      help: 'The default icon for locations of the type; empty for none.',
    }),
    location_count: f.computed(
      Type.Integer(),
      '(select count(*) {from stock_location} location where location.location_type = {pk})',
      {
        order: true,
        help: 'The number of locations of the type.',
      },
    ),
  },
  defaultOrder: ['-location_count'],
})

/** The type of a location, inside the location. */
export const locationTypeDetail = f.brief(() => stockLocationType, ['pk', 'name', 'description', 'icon'])
