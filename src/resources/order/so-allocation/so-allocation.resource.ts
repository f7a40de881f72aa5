import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { type Deletion, resource } from '../../../kit/definition/resource.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { companyBrief } from '../../company/company.resource.ts'
import { partBrief } from '../../part/part.resource.ts'
import { part } from '../../part/part.table.ts'
import { locationDetail, locationParameters } from '../../stock/location/stock-location.resource.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { stockItemBrief } from '../../stock/stock-item.resource.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { orderErrors } from '../order-errors.ts'
import { createPartFilter } from '../order-filters.ts'
import { openStates } from '../order-kind.ts'
import { salesOrderShipment } from '../so/shipment/shipment.table.ts'
import { shipmentBrief } from '../so/shipment/shipment-brief.ts'
import { salesOrderBrief } from '../so/so.resource.ts'
import { salesOrder } from '../so/so.table.ts'
import { SALES_ORDER } from '../so/so-kind.ts'
import { salesOrderLine } from '../so-line/so-line.table.ts'
import { checkAllocationChange, lockForChange } from './change-allocation.ts'
import { salesOrderAllocation as table } from './so-allocation.table.ts'

const NullableKey = Type.Union([Type.Integer(), Type.Null()])

const shippedRule = 'Shipped allocations can no longer be changed.'

/** Allocations are created by `so/allocate.action.ts`. */
export const salesOrderAllocation = resource({
  path: '/api/order/so-allocation/',
  name: 'Sales order allocation',
  description:
    'A quantity of a stock item that is allocated to a line of a sales order. It ships with one of the shipments of the order, or has shipped with it.',
  remarks: {
    update: `The allocated quantity of an item cannot exceed its stock. The item must be in stock, and of the part of the line or a variant of it. ${shippedRule}`,
    delete: 'Releases the stock. Shipped stock remains with the customer: only the record of the allocation is deleted.',
  },
  example: {
    pk: 3,
    replace: { line: 2, item: 51, shipment: 2, quantity: 1 },
    change: { quantity: 1 },
    deletable: 3,
  },
  model: 'salesorderallocation',
  table,
  access: SALES_ORDER.access,
  bulkDelete: true,
  bulkUpdate: true,
  without: ['create'],
  fields: {
    pk: f.pk(table.pk),
    line: f.ref(table.line, {
      required: true,
      model: 'salesorderlineitem',
      apiUrl: '/api/order/so-line/',
      api530: { metadata: { type: 'field', read_only: true }, input: { required: false } },
      help: 'The line to which it is allocated.',
    }),
    customer_detail: f.nested('{line.order.customer}', () => companyBrief(), {
      flag: { name: 'customer_detail' },
      help: 'The customer.',
    }),
    serial: f.computed(Type.Union([Type.String(), Type.Null()]), '{item.serial}', {
      type: 'string',
      help: 'The serial number of the stock item, if it has one.',
    }),
    quantity: f.column(table.quantity, { required: true, help: 'The allocated quantity, above zero, in units of the part.' }),
    location: f.computed(NullableKey, '{item.location}', { type: 'field', help: 'The location of the stock item.' }),
    location_detail: f.nested('{item.location}', () => locationDetail(), {
      flag: { name: 'location_detail' },
      help: 'The location.',
    }),
    item: f.ref(table.item, {
      required: true,
      model: 'stockitem',
      apiUrl: '/api/stock/',
      filters: { part__salable: true, part__virtual: false, belongs_to: null, sales_order: null },
      help: 'The stock item to allocate from.',
    }),
    item_detail: f.nested(table.item, () => stockItemBrief(), {
      flag: { name: 'item_detail', detail: true },
      help: 'The stock item.',
    }),
    order: f.computed(Type.Integer(), '{line.order}', { type: 'field', help: 'The sales order of the line.' }),
    order_detail: f.nested('{line.order}', () => salesOrderBrief(), { flag: { name: 'order_detail' }, help: 'The order.' }),
    part: f.computed(Type.Integer(), '{item.part}', { type: 'field', help: 'The part of the stock item.' }),
    part_detail: f.nested('{item.part}', () => partBrief(), {
      flag: { name: 'part_detail', detail: true },
      help: 'The part.',
    }),
    shipment: f.ref(table.shipment, {
      required: true,
      nullable: false,
      model: 'salesordershipment',
      apiUrl: '/api/order/so/shipment/',
      emptyIsNull: true,
      api530: { input: { required: false, nullable: true } },
      help: 'The shipment it ships with. Imported allocations may have none.',
    }),
    shipment_date: f.computed(Type.Union([Type.String({ format: 'date' }), Type.Null()]), '{shipment.shipment_date}', {
      type: 'date',
      help: 'The day on which it was shipped; null before.',
    }),
    shipment_detail: f.extended(f.nested(table.shipment, () => shipmentBrief(), { help: 'The shipment.' })),
    allow_over_allocation: f.writeOnly(input.boolean(), {
      help: 'Whether to allow allocating more than the line is short of. Off by default.',
    }),
  },
  parameters: locationParameters,
  filters: {
    part: createPartFilter(part, '{item.part} {parts}', 'Allocations of stock of the part with this key.'),
    line: {
      kind: 'reference',
      table: () => salesOrderLine,
      sql: '{line} = {@value}',
      help: 'Allocations to the line with this key.',
    },
    shipment: {
      kind: 'reference',
      table: () => salesOrderShipment,
      sql: '{shipment} = {@value}',
      help: 'Allocations that ship with the shipment with this key.',
    },
    location: {
      kind: 'reference',
      table: () => stockLocation,
      sql: '{item.location} in (select below.pk {from stock_location} below where below.path @> array[{@value}])',
      help: 'Allocations of stock in the location with this key, or below it.',
    },
    assigned_to_shipment: {
      kind: 'boolean',
      sql: '{shipment} is not null',
      help: 'Whether they have a shipment.',
    },
    order: {
      kind: 'reference',
      table: () => salesOrder,
      sql: '{line.order} = {@value}',
      help: 'Allocations to the sales order with this key.',
    },
    item: {
      kind: 'reference',
      table: () => stockItem,
      sql: '{item} = {@value}',
      help: 'Allocations of the stock item with this key.',
    },
    stock_item: {
      kind: 'reference',
      table: () => stockItem,
      sql: '{item} = {@value}',
      help: 'The same as `item`.',
    },
    outstanding: {
      kind: 'boolean',
      sql: `coalesce({line.order.status} in ${openStates(SALES_ORDER)} and {shipment.shipment_date} is null, false)`,
      help: 'Whether it is still to be shipped, for an open order.',
    },
  },
  searchMinApiVersion: 530,
  search: ['{item.part.name}', '{item.part.IPN}', '{item.serial}', '{item.batch}'],
  order: {
    quantity: ['{quantity}'],
    part: ['{item.part.name}'],
    serial: ['{item.serial_int}', '{item.serial}'],
    IPN: ['{item.part.IPN}'],
    batch: ['{item.batch}'],
    location: ['{item.location.name}'],
    order: ['{line.order.reference}'],
    shipment: ['{shipment}'],
    shipment_date: ['{shipment.shipment_date}'],
    item: ['{item}'],
    line: ['{line}'],
  },
  locksFirst: lockForChange,
  beforeDelete: requireNotShipped,
  rules: checkAllocationChange,
})

/** An allocation inside its line or its shipment. */
export const allocationBrief = f.brief(
  () => salesOrderAllocation,
  [
    'pk',
    'line',
    'serial',
    'quantity',
    'location',
    'location_detail',
    'item',
    'item_detail',
    'order',
    'part',
    'part_detail',
    'shipment',
    'shipment_date',
  ],
)

/** Rejects a deletion of several allocations of which one has shipped, since a client means to release stock. */
async function requireNotShipped({ tx, row, isBulk }: Deletion): Promise<void> {
  if (!isBulk || row.shipment === null) return
  if (await tx.first('select from sales_order_shipment where pk = $1 and shipment_date is not null', [row.shipment]))
    throw invalidObject(orderErrors.allocation_shipped)
}
