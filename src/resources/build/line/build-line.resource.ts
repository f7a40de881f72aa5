import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { type Resource, resource, type Write } from '../../../kit/definition/resource.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { availableStock } from '../../bom/available-stock.ts'
import { bomItem } from '../../bom/bom-item.resource.ts'
import { incoming } from '../../order/po/incoming.ts'
import { partDetail } from '../../part/part.resource.ts'
import { flawedStock } from '../../stock/flawed-stock.ts'
import { locationParameters } from '../../stock/location/stock-location.resource.ts'
import { lockStockItemsOf } from '../../stock/movement/locked-items.ts'
import { buildBrief } from '../build.resource.ts'
import { buildErrors } from '../build-errors.ts'
import { BUILD_ORDER } from '../build-kind.ts'
import { ACTIVE } from '../build-status.ts'
import { allocationBrief } from '../item/build-allocation.resource.ts'
import { buildAllocation } from '../item/build-allocation.table.ts'
import { buildLine as table } from './build-line.table.ts'

const bomDetail = f.brief(
  () => bomItem,
  [
    'allow_variants',
    'inherited',
    'note',
    'optional',
    'consumable',
    'overage',
    'pk',
    'part',
    'quantity',
    'reference',
    'sub_part',
    'substitutes',
    'validated',
  ],
)

/** In the list of one build order alone, which may take its components from one place. */
const within = { if: '{@of_one_build}::boolean and {build.take_from} is not null', location: '{build.take_from}' }
const { ofComponent, ofSubstitutes, ofVariants } = availableStock({ component: 'part', line: '{bom_item}', within })

/** In the list of one build order that takes its components from a location only what is there or below it. */
const external = `case when ${within.if} then coalesce((
    select sum(item.quantity) {from stock_item} item {join stock_location} place on place.pk = item.location
    where item.part = {part} and item.in_stock and place.external and place.path @> array[${within.location}]
  ), 0) else coalesce({part.part_quantity.external_stock}, 0) end`

const total = `(${ofComponent} + ${ofSubstitutes} + ${ofVariants})`

const allocated =
  'coalesce((select sum(allocation.quantity) {from build_allocation} allocation where allocation.build_line = {pk}), 0)'

const inProduction = `coalesce((
  select sum(item.quantity) {from stock_item} item {join build_order} b on b.pk = item.build
  where item.part = {part} and item.is_building and b.status in ${ACTIVE}
), 0)`

const AVAILABLE =
  'How much of the component itself is in stock and not put by; in the list of one build order (`build`) that takes its components from a location, there and below it'

const amount = (sql: string, help: string, label?: string): f.Field =>
  f.computed(Type.Number(), `trim_scale(${sql})`, { label, help: `${help}, in units of the component.` })

/** See the reference description of parts and builds, section 14. */
export const buildLine: Resource = resource({
  path: '/api/build/line/',
  name: 'Build line',
  description:
    'How much of a component a build order takes. A build order has a line for each line of the bill of materials, which follows it while the build order is worked on.',
  remarks: {
    create: 'It is refused: lines follow the bill of materials.',
    update: 'A quantity that is written stays until the quantity of the build order, or its bill of materials, is changed.',
    delete: 'What is put by for it is free again.',
  },
  example: {
    pk: 17,
    create: { quantity: 240 },
    isNotMade: true,
    change: { quantity: 235 },
    deletable: 26,
  },
  model: 'buildline',
  table,
  access: BUILD_ORDER.access,
  fields: {
    pk: f.pk(table.pk),
    build: {
      ...f.ref(table.build, {
        readonly: true,
        filter: true,
        model: BUILD_ORDER.model,
        address: BUILD_ORDER.path,
        help: 'The build order.',
      }),
      options: { type: 'field', filters: {} },
    },
    build_detail: f.nested(table.build, () => buildBrief(), { flag: { name: 'build_detail' } }),
    bom_item: {
      ...f.ref(table.bom_item, {
        readonly: true,
        filter: true,
        model: 'bomitem',
        address: '/api/bom/',
        label: 'BOM Item',
        help: 'The line of the bill of materials that it follows.',
      }),
      options: { type: 'field', filters: {} },
    },
    bom_item_detail: f.nested(table.bom_item, bomDetail, { help: 'That line.' }),
    part_detail: f.nested(table.part, () => partDetail(), { help: 'The component.' }),
    quantity: f.column(table.quantity, {
      min: 0,
      order: true,
      help: 'How much it takes, with what is lost, in units of the component.',
    }),
    allocations: f.rows(buildAllocation.build_line, () => allocationBrief(), { help: 'What is put by for it.' }),
    allocated: {
      ...amount(allocated, 'How much is put by for it', 'Allocated Stock'),
      order: [allocated],
      filter: { kind: 'boolean', sql: `${allocated} >= {quantity}`, help: 'Whether as much is put by for it as it takes.' },
    },
    in_production: amount(inProduction, 'How much of the component outputs of open build orders are', 'In Production'),
    on_order: amount(
      'coalesce({part.part_quantity.ordering}, 0)',
      'How much of the component is still to come on open purchase orders',
      'On Order',
    ),
    incoming: incoming('{part}'),
    available_stock: {
      ...amount(ofComponent, AVAILABLE, 'Available Stock'),
      order: [ofComponent],
    },
    available_substitute_stock: amount(ofSubstitutes, 'The same of the parts that may be used in its place'),
    available_variant_stock: amount(ofVariants, 'The same of all its other variants, whether they may be used or not'),
    total_available_stock: amount(total, 'These three together'),
    flawed_stock: flawedStock({ parts: '(select one.pk {from part} one where one.path @> array[{part}])', within }),
    external_stock: amount(
      external,
      'How much of the component is in stock in external locations; in the list of one build order (`build`) that takes its components from a location, there and below it',
    ),
  },
  parameters: { ...locationParameters, of_one_build: (_, { build = '' }) => build !== '' },
  filters: {
    order_outstanding: {
      kind: 'boolean',
      sql: `{build.status} in ${ACTIVE}`,
      help: 'Whether the build order is worked on: pending, or in production.',
    },
    consumable: { kind: 'boolean', sql: '{bom_item.consumable}', help: 'Whether it is used up without being counted.' },
    optional: { kind: 'boolean', sql: '{bom_item.optional}', help: 'Whether it can be built without it.' },
    tracked: { kind: 'boolean', sql: '{part.trackable}', help: 'Whether the component is tracked: put by for single outputs.' },
    overallocated: {
      kind: 'boolean',
      sql: `(select sum(allocation.quantity) {from build_allocation} allocation where allocation.build_line = {pk} and allocation.is_open) > {quantity}`,
      help: 'Whether more is put by for it than it takes, and not used up yet.',
    },
    available: {
      kind: 'boolean',
      sql: `{quantity} <= ${total} + ${allocated}`,
      help: 'Whether what is in stock and free, with what is put by for it, is as much as it takes.',
    },
  },
  search: ['{part.name}', '{bom_item.reference}'],
  order: {
    part: ['{part.name}'],
    reference: ['{bom_item.reference}'],
    consumable: ['{bom_item.consumable}'],
    optional: ['{bom_item.optional}'],
    unit_quantity: ['{bom_item.quantity}'],
    trackable: ['{part.trackable}'],
  },
  locksFirst: lockLines,
  rules: refuseNew,
})

/** Whoever changes a line holds its build order; whoever deletes one also what is put by for it. */
async function lockLines(tx: Tx, pks: readonly number[]): Promise<void> {
  await tx.query(
    `select from build_order where pk in (select build from build_line where pk = any($1::integer[])) order by pk for no key update`,
    [pks],
  )
  await lockStockItemsOf(tx, 'select stock_item from build_allocation where build_line = any($1::integer[])', [pks], {
    parts: { text: 'select part from build_line where pk = any($2::integer[])', values: [pks] },
  })
}

const FOLLOWS = buildErrors.build_lines_follow_bom

function refuseNew({ before, errors }: Write): void {
  if (!before) Object.assign(errors, { build: [FOLLOWS], bom_item: [FOLLOWS] })
}
