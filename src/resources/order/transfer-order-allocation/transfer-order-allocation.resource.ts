import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { partBrief } from '../../part/part.resource.ts'
import { part } from '../../part/part.table.ts'
import { locationDetail, locationParameters } from '../../stock/location/stock-location.resource.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { stockItemBrief } from '../../stock/stock-item.resource.ts'
import { createPartFilter } from '../order-filters.ts'
import { openStates } from '../order-kind.ts'
import { transferOrderBrief } from '../transfer-order/transfer-order.resource.ts'
import { transferOrder } from '../transfer-order/transfer-order.table.ts'
import { TRANSFER_ORDER } from '../transfer-order/transfer-order-kind.ts'
import { checkAllocationChange, lockForChange } from './change-allocation.ts'
import { transferOrderAllocation as table } from './transfer-order-allocation.table.ts'

const NullableKey = Type.Union([Type.Integer(), Type.Null()])

/** Allocations are created by `transfer-order/allocate.action.ts`. */
export const transferOrderAllocation = resource({
  path: '/api/order/transfer-order-allocation/',
  name: 'Transfer order allocation',
  description:
    'A quantity of a stock item that is allocated to a line of a transfer order. Completing the order moves it or consumes it; after that, the item is the one at the destination.',
  remarks: {
    update:
      'Only while the order is issued. The allocated quantity of an item cannot exceed its stock. The item must be in stock, and of the part of the line or a variant of it.',
    delete: 'Releases the stock. Of transferred stock, only the record of the allocation is deleted.',
  },
  example: { pk: 1, replace: { item: 14, quantity: 2 }, change: { quantity: 1 }, deletable: 2 },
  model: 'transferorderallocation',
  table,
  access: TRANSFER_ORDER.access,
  bulkUpdate: true,
  without: ['create'],
  fields: {
    pk: f.pk(table.pk),
    item: f.ref(table.item, {
      required: true,
      filter: true,
      model: 'stockitem',
      apiUrl: '/api/stock/',
      help: 'The stock item to allocate from.',
    }),
    quantity: f.column(table.quantity, {
      required: true,
      order: true,
      help: 'The allocated quantity, above zero, in units of the part.',
    }),
    line: f.ref(table.line, {
      readonly: true,
      filter: true,
      model: 'transferorderlineitem',
      apiUrl: '/api/order/transfer-order-line/',
      api530: { metadata: { type: 'field' } },
      help: 'The line to which it is allocated.',
    }),
    part: f.computed(Type.Integer(), '{item.part}', { type: 'field', help: 'The part of the stock item.' }),
    order: f.computed(Type.Integer(), '{line.order}', { type: 'field', help: 'The transfer order of the line.' }),
    serial: f.computed(Type.Union([Type.String(), Type.Null()]), '{item.serial}', {
      type: 'string',
      help: 'The serial number of the stock item, if it has one.',
    }),
    location: f.computed(NullableKey, '{item.location}', { type: 'field', help: 'The location of the stock item.' }),
    item_detail: f.nested(table.item, () => stockItemBrief(), { flag: { name: 'item_detail' }, help: 'The stock item.' }),
    part_detail: f.nested('{item.part}', () => partBrief(), { flag: { name: 'part_detail' }, help: 'The part.' }),
    order_detail: f.nested('{line.order}', () => transferOrderBrief(), { flag: { name: 'order_detail' }, help: 'The order.' }),
    location_detail: f.nested('{item.location}', () => locationDetail(), {
      flag: { name: 'location_detail' },
      help: 'The location.',
    }),
    allow_over_allocation: f.writeOnly(input.boolean(), {
      help: 'Whether to allow allocating more than the line is short of. Off by default.',
    }),
  },
  parameters: locationParameters,
  filters: {
    part: createPartFilter(part, '{item.part} {parts}', 'Allocations of stock of the part with this key.'),
    order: {
      kind: 'reference',
      table: () => transferOrder,
      sql: '{line.order} = {@value}',
      help: 'Allocations to the transfer order with this key.',
    },
    location: {
      kind: 'reference',
      table: () => stockLocation,
      sql: '{item.location} = {@value}',
      help: 'Allocations of stock in the location with this key.',
    },
    outstanding: {
      kind: 'boolean',
      sql: `coalesce({is_open} and {line.order.status} in ${openStates(TRANSFER_ORDER)}, false)`,
      help: 'Whether it is still to be transferred, for an open order.',
    },
  },
  search: ['{item.part.IPN}', '{item.part.name}', '{item.batch}', '{item.serial}'],
  order: {
    part: ['{item.part.name}'],
    serial: ['{item.serial_int}', '{item.serial}'],
    IPN: ['{item.part.IPN}'],
    batch: ['{item.batch}'],
    location: ['{item.location.name}'],
    order: ['{line.order.reference}'],
  },
  locksFirst: lockForChange,
  rules: checkAllocationChange,
})
