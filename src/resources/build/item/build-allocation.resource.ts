import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { isNullWord, readKey, unknownReference } from '../../../kit/definition/filter.ts'
import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { supplierPartDetail } from '../../company/part/supplier-part.resource.ts'
import { createPartFilter } from '../../order/order-filters.ts'
import { partBrief } from '../../part/part.resource.ts'
import { part } from '../../part/part.table.ts'
import { locationDetail, locationParameters } from '../../stock/location/stock-location.resource.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { NESTED_ITEM_FIELDS, stockItem, stockItemBrief, UNCOMPUTED_ITEM_FIELDS } from '../../stock/stock-item.resource.ts'
import { stockItem as stockItems } from '../../stock/stock-item.table.ts'
import { buildBrief } from '../build.resource.ts'
import { buildOrder } from '../build.table.ts'
import { BUILD_ORDER } from '../build-kind.ts'
import { buildAllocation as table } from './build-allocation.table.ts'
import { checkAllocation, lockForChange } from './change-allocation.ts'

const itemDetail = f.brief(
  () => stockItem,
  ['part', 'pk', 'location', 'quantity', 'serial', 'supplier_part', 'barcode_hash'],
  {
    part_name: f.computed(Type.String(), '{part.full_name}', { help: 'The name of its part.' }),
    ...UNCOMPUTED_ITEM_FIELDS,
  },
  NESTED_ITEM_FIELDS,
)

const allocationRule =
  'The item must be in stock, of a part that the line allows, with the quantity available. A tracked component needs an incomplete output of the build order; other components must have none.'

/** See docs/interface/builds.md#lines-and-allocations. */
export const buildAllocation: Resource = resource({
  path: '/api/build/item/',
  name: 'Build item',
  description:
    'A quantity of a stock item that is allocated to a build order line. It is consumed when the build order is completed, or when its output is completed.',
  remarks: {
    create: allocationRule,
    update: allocationRule,
    delete: 'Releases the stock.',
  },
  example: {
    pk: 1,
    create: { build_line: 20, stock_item: 61, quantity: 2, install_into: null },
    replace: { build_line: 14, stock_item: 1, quantity: 42, install_into: null },
    change: { quantity: 50 },
    deletable: 2,
  },
  model: 'builditem',
  table,
  access: BUILD_ORDER.access,
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    build: f.computed(Type.Integer(), '{build_line.build}', { type: 'field', help: 'The build order of the line.' }),
    build_detail: f.nested('{build_line.build}', () => buildBrief(), {
      flag: { name: 'build_detail', api530: { list: false, detail: true } },
      api530: { metadata: { label: 'Build' } },
      help: 'The build order.',
    }),
    build_line: f.ref(table.build_line, {
      required: true,
      // rejected with the errors of the whole object (`checkAllocation`)
      nullable: true,
      filter: true,
      model: 'buildline',
      apiUrl: '/api/build/line/',
      api530: { metadata: { required: false } },
      help: 'The line to which it is allocated.',
    }),
    install_into: f.ref(table.install_into, {
      required: true,
      filter: true,
      model: 'stockitem',
      apiUrl: '/api/stock/',
      filters: { is_building: true },
      api530: { input: { required: false } },
      help: 'The output it is allocated to, for a tracked component; empty for any other.',
    }),
    stock_item: f.ref(table.stock_item, {
      required: true,
      filter: true,
      model: 'stockitem',
      apiUrl: '/api/stock/',
      filters: { sales_order: null, belongs_to: null },
      label: 'Stock Item',
      help: 'The stock item to allocate from.',
    }),
    quantity: f.column(table.quantity, {
      required: true,
      default: '1',
      api530: { metadata: { required: true, label: 'Allocated Quantity' } },
      help: 'The allocated quantity, above zero, in units of the part; 1 for an item with a serial number.',
    }),
    location: f.extended(
      f.computed(Type.Union([Type.Integer(), Type.Null()]), '{stock_item.location}', { help: 'The location of the stock item.' }),
    ),
    bom_reference: f.extended(
      f.computed(Type.String(), '{build_line.bom_item.reference}', {
        label: 'BOM Reference',
        help: 'The reference of the BOM line.',
      }),
    ),
    supplier_part_detail: f.nested('{stock_item.supplier_part}', () => supplierPartDetail(), {
      flag: { name: 'supplier_part_detail' },
      api530: { metadata: { label: 'Supplier Part' } },
      help: 'The supplier part of the stock item.',
    }),
    install_into_detail: f.nested(table.install_into, () => stockItemBrief(), {
      flag: { name: 'install_into_detail' },
      api530: { metadata: { label: 'Install Into' } },
      help: 'The output.',
    }),
    location_detail: f.nested('{stock_item.location}', () => locationDetail(), {
      flag: { name: 'location_detail', list: true, detail: true, api530: { list: false, detail: true } },
      api530: { metadata: { label: 'Location' } },
      help: 'The location of the stock item.',
    }),
    part_detail: f.nested('{stock_item.part}', () => partBrief(), {
      flag: { name: 'part_detail', list: true, detail: true, api530: { list: false, detail: true } },
      api530: { metadata: { label: 'Part' } },
      help: 'The part of the stock item.',
    }),
    stock_item_detail: f.nested(table.stock_item, itemDetail, {
      flag: { name: 'stock_detail', list: true, detail: true, api530: { list: false, detail: true } },
      api530: { metadata: { label: 'Stock Item' } },
      help: 'The stock item.',
    }),
  },
  parameters: locationParameters,
  filters: {
    build: {
      kind: 'reference',
      table: () => buildOrder,
      sql: '{build_line.build} = {@value}',
      help: 'Allocations to the build order with this key.',
    },
    part: createPartFilter(part, '{stock_item.part} {parts}', 'Allocations of stock of the part with this key.'),
    location: {
      kind: 'reference',
      table: () => stockLocation,
      sql: '{stock_item.location} in (select below.pk {from stock_location} below where below.path @> array[{@value}])',
      help: 'Allocations of stock in the location with this key, or below it.',
    },
    tracked: { kind: 'boolean', sql: '{install_into} is not null', help: 'Whether it is allocated to an output.' },
    output: {
      kind: 'custom',
      names: { output: 'Allocations to the output with this key; `null` for those to no output.' },
      read({ output = '' }) {
        if (isNullWord(output)) return { sql: '{install_into} is null', values: [] }
        const pk = readKey(output)
        if (pk === undefined) throw unknownReference('output')
        const condition = { sql: '{install_into} = {@value}::integer', values: [pk] }
        return { name: 'output', table: stockItems, pk, negative: false, ignore: false, condition }
      },
    },
  },
  searchMinApiVersion: 530,
  search: [
    '{stock_item.supplier_part.SKU}',
    '{stock_item.part.name}',
    '{stock_item.part.IPN}',
    '{build_line.bom_item.reference}',
  ],
  order: {
    part: ['{stock_item.part.name}'],
    reference: ['{build_line.bom_item.reference}'],
    sku: ['{stock_item.supplier_part.SKU}'],
    quantity: ['{quantity}'],
    location: ['{stock_item.location.name}'],
    IPN: ['{stock_item.part.IPN}'],
    serial: ['{stock_item.serial_int}', '{stock_item.serial}'],
    batch: ['{stock_item.batch}'],
  },
  constraints: {
    build_allocation_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['build_line', 'stock_item', 'install_into'] })],
    },
  },
  locksFirst: lockForChange,
  rules: checkAllocation,
})

/** An allocation inside its line. */
export const allocationBrief = f.brief(
  () => buildAllocation,
  ['pk', 'build', 'build_line', 'install_into', 'stock_item', 'quantity', 'location_detail', 'part_detail', 'stock_item_detail'],
  {},
  ['location', 'bom_reference'],
)
