import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { stockLocationType as table } from './stock-location-type.table.ts'

export const stockLocationType = resource({
  path: '/api/stock/location-type/',
  name: 'Stock location type',
  description: 'A kind of stock location, such as shelf or box, with the icon of all locations of the kind.',
  remarks: { delete: 'Locations of the kind stay, without a type.' },
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
    name: f.column(table.name, { required: true, search: true, order: true, help: 'What the kind is called.' }),
    description: f.column(table.description, { help: 'What locations of the kind are, in a line; empty for none.' }),
    icon: f.column(table.icon, {
      order: true,
      help: 'The name of the icon of locations of the kind that have none of their own; empty for none.',
    }),
    location_count: f.computed(
      Type.Integer(),
      '(select count(*) {from stock_location} placed where placed.location_type = {pk})',
      {
        order: true,
        help: 'How many locations are of the kind.',
      },
    ),
  },
  defaultOrder: ['-location_count'],
})

/** The type of a location, inside it. */
export const locationTypeDetail = f.brief(() => stockLocationType, ['pk', 'name', 'description', 'icon'])
