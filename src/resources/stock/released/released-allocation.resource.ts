import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { buildBrief } from '../../build/build.resource.ts'
import { salesOrderBrief } from '../../order/so/so.resource.ts'
import { partBrief } from '../../part/part.resource.ts'
import { user } from '../../user/user.resource.ts'
import { releasedAllocation as table } from './released-allocation.table.ts'

/** The history of what counts released of the stock that was allocated to orders. */
export const releasedAllocations = resource({
  path: '/api/stock/released/',
  name: 'Released allocation',
  description:
    'Stock that was allocated to an order and released by a count that found less than was allocated. Entries are written by counts, never changed, and stay when the stock item is gone.',
  example: { pk: 1, absent: true },
  model: 'releasedallocation',
  table,
  access: roles('stock'),
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    sales_order: f.ref(table.sales_order, {
      readonly: true,
      filter: true,
      model: 'salesorder',
      address: '/api/order/so/',
      help: 'The sales order that lost the stock; null where a build order did.',
    }),
    sales_order_detail: f.nested(table.sales_order, () => salesOrderBrief(), {
      flag: { name: 'order_detail' },
      help: 'The sales order.',
    }),
    build: f.ref(table.build, {
      readonly: true,
      filter: true,
      model: 'build',
      address: '/api/build/',
      help: 'The build order that lost the stock; null where a sales order did.',
    }),
    build_detail: f.nested(table.build, () => buildBrief(), { flag: { name: 'build_detail' }, help: 'The build order.' }),
    part: f.ref(table.part, {
      readonly: true,
      filter: true,
      model: 'part',
      address: '/api/part/',
      help: 'The part of the stock.',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail' }, help: 'The part.' }),
    stock_item: f.computed(Type.Integer(), '{stock_item}', {
      type: 'integer',
      help: 'The key of the stock item that was counted, which may be deleted.',
    }),
    quantity: f.readonly(table.quantity, { help: 'How much was released, in units of the part.' }),
    created: f.readonly(table.created, { order: true, help: 'When it was released.' }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      address: '/api/user/',
      help: 'The account that counted; null if it is deleted.',
    }),
    user_detail: f.nested(table.user, () => user, { flag: { name: 'user_detail' }, help: 'The account.' }),
    restored: f.readonly(table.restored, {
      help: 'When the count was undone and the stock allocated to the order again; null if it was not.',
    }),
  },
  filters: {
    stock_item: { kind: 'number', sql: '{stock_item} = {@value}', help: 'Those of the stock item with this key.' },
  },
  defaultOrder: ['-created'],
})
