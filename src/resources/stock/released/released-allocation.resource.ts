import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { buildBrief } from '../../build/build.resource.ts'
import { salesOrderBrief } from '../../order/so/so.resource.ts'
import { transferOrderBrief } from '../../order/transfer-order/transfer-order.resource.ts'
import { partBrief } from '../../part/part.resource.ts'
import { user } from '../../user/user.resource.ts'
import { releasedAllocation as table } from './released-allocation.table.ts'

/** History of allocations that counts released. */
export const releasedAllocations = resource({
  path: '/api/stock/released/',
  name: 'Released allocation',
  description:
    'Stock that was allocated to an order and released by a count that found less than was allocated. Counts create the entries. They never change, and they remain after the stock item is deleted.',
  example: { pk: 1, hasNoObject: true },
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
      apiUrl: '/api/order/so/',
      help: 'The sales order whose allocation was released; null for another order.',
    }),
    sales_order_detail: f.nested(table.sales_order, () => salesOrderBrief(), {
      flag: { name: 'order_detail' },
      help: 'The sales order.',
    }),
    build: f.ref(table.build, {
      readonly: true,
      filter: true,
      model: 'build',
      apiUrl: '/api/build/',
      help: 'The build order whose allocation was released; null for another order.',
    }),
    build_detail: f.nested(table.build, () => buildBrief(), { flag: { name: 'build_detail' }, help: 'The build order.' }),
    transfer_order: f.ref(table.transfer_order, {
      readonly: true,
      filter: true,
      model: 'transferorder',
      apiUrl: '/api/order/transfer-order/',
      help: 'The transfer order whose allocation was released; null for another order.',
    }),
    transfer_order_detail: f.nested(table.transfer_order, () => transferOrderBrief(), {
      flag: { name: 'transfer_order_detail' },
      help: 'The transfer order.',
    }),
    part: f.ref(table.part, {
      readonly: true,
      filter: true,
      model: 'part',
      apiUrl: '/api/part/',
      help: 'The part of the stock item.',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail' }, help: 'The part.' }),
    stock_item: f.computed(Type.Integer(), '{stock_item}', {
      type: 'integer',
      help: 'The key of the counted stock item, which may have been deleted.',
    }),
    quantity: f.readonly(table.quantity, { help: 'The released quantity, in units of the part.' }),
    created: f.readonly(table.created, { order: true, help: 'The time of the release.' }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that counted; null if it was deleted.',
    }),
    user_detail: f.nested(table.user, () => user, { flag: { name: 'user_detail' }, help: 'The account.' }),
    restored: f.readonly(table.restored, {
      help: 'When the count was undone and the stock was allocated to the order again; null if it was not.',
    }),
  },
  filters: {
    stock_item: { kind: 'number', sql: '{stock_item} = {@value}', help: 'Allocations of the stock item with this key.' },
  },
  defaultOrder: ['-created'],
})
