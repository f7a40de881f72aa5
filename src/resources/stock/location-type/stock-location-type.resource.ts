import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { stockLocationType as table } from './stock-location-type.table.ts'

/** Kinds of stock locations, such as shelf or box, with the icon that locations of the kind have. */
export const stockLocationType = resource({
  path: '/api/stock/location-type/',
  name: 'Stock location type',
  model: 'stocklocationtype',
  table,
  access: roles('stock_location'),
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, { required: true, search: true, order: true }),
    description: f.column(table.description),
    icon: f.column(table.icon, { order: true }),
    location_count: f.computed(Type.Integer(), '(select count(*) from stock_location placed where placed.location_type = {pk})', {
      order: true,
    }),
  },
  defaultOrder: ['-location_count'],
})

/** The type of a location, inside it. */
export const locationTypeDetail = f.brief(() => stockLocationType, ['pk', 'name', 'description', 'icon'])
