import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { readKey, unknownReference } from '../../../kit/definition/filter.ts'
import { type Resource, resource, type Write } from '../../../kit/definition/resource.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { getAvailableStockSql } from '../../bom/available-stock.ts'
import { bomItem } from '../../bom/bom-item.resource.ts'
import { createIncomingField } from '../../order/po/incoming.ts'
import { partCategoryBrief } from '../../part/category/part-category.resource.ts'
import { partBrief, partDetail } from '../../part/part.resource.ts'
import { part as partTable } from '../../part/part.table.ts'
import { flawedStock } from '../../stock/inconsistent-stock.ts'
import { locationParameters } from '../../stock/location/stock-location.resource.ts'
import { lockStockItemsByQuery } from '../../stock/movement/locked-items.ts'
import { buildBrief } from '../build.resource.ts'
import { buildErrors } from '../build-errors.ts'
import { BUILD_ORDER } from '../build-kind.ts'
import { ACTIVE_STATES_SQL } from '../build-status.ts'
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
    'setup_quantity',
    'attrition',
    'rounding_multiple',
    'pk',
    'part',
    'quantity',
    'reference',
    'sub_part',
    'substitutes',
    'validated',
  ],
  Object.fromEntries(
    ['available_stock', 'available_substitute_stock', 'available_variant_stock', 'external_stock', 'on_order', 'building'].map(
      (name) => [name, f.uncomputed()],
    ),
  ),
  ['raw_amount'],
)

/** Restriction to the source location in the list of a single build order, if it has one. */
const within = { if: '{@of_one_build}::boolean and {build.take_from} is not null', location: '{build.take_from}' }
const { ofComponent, ofSubstitutes, ofVariants } = getAvailableStockSql({ component: 'part', line: '{bom_item}', within })

/** External stock of the component; in the list of one build order with a source location, only at or below it. */
const EXTERNAL_STOCK = `case when ${within.if} then coalesce((
    select sum(item.quantity) {from stock_item} item {join stock_location} location on location.pk = item.location
    where item.part = {part} and item.in_stock and location.external and location.path @> array[${within.location}]
  ), 0) else coalesce({part.part_quantity.external_stock}, 0) end`

const TOTAL_AVAILABLE = `(${ofComponent} + ${ofSubstitutes} + ${ofVariants})`

const allocated =
  'coalesce((select sum(allocation.quantity) {from build_allocation} allocation where allocation.build_line = {pk}), 0)'

/** The quantity still needed: what was consumed is not needed again. */
const STILL_NEEDED = 'greatest({quantity} - {consumed}, 0)'

const inProduction = `coalesce((
  select sum(item.quantity) {from stock_item} item {join build_order} build on build.pk = item.build
  where item.part = {part} and item.is_building and build.status in ${ACTIVE_STATES_SQL}
), 0)`

const SCHEDULED_TO_BUILD = `coalesce((
  select sum(greatest(build.quantity - build.completed, 0)) {from build_order} build
  where build.part = {part} and build.status in ${ACTIVE_STATES_SQL}
), 0)`

const AVAILABLE =
  'The available quantity of the component itself: in stock and not allocated; in the list of one build order (`build`) with a source location, only there and below it'

const amount = (sql: string, help: string, label?: string): f.Field =>
  f.computed(Type.Number(), `trim_scale(${sql})`, { label, help: `${help}, in units of the component.` })

/** See docs/interface/builds.md#lines-and-allocations. */
export const buildLine: Resource = resource({
  path: '/api/build/line/',
  name: 'Build line',
  description:
    'The quantity of a component that a build order needs. A build order has one line for each line of its BOM, and follows changes of the BOM while it is open.',
  remarks: {
    create: 'Rejected: the lines follow the BOM.',
    update: 'A quantity that is set here remains until the quantity of the build order or its BOM changes.',
    delete: 'Releases the stock allocated to it.',
  },
  example: {
    pk: 17,
    create: { quantity: 240 },
    cannotBeCreated: true,
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
        apiUrl: BUILD_ORDER.path,
        help: 'The build order.',
      }),
      options: { type: 'field', filters: {} },
    },
    build_detail: f.nested(table.build, () => buildBrief(), {
      flag: { name: 'build_detail' },
      api530: { metadata: { label: 'Build' } },
    }),
    bom_item: {
      ...f.ref(table.bom_item, {
        readonly: true,
        filter: true,
        model: 'bomitem',
        apiUrl: '/api/bom/',
        label: 'BOM Item',
        help: 'The BOM line that it follows.',
      }),
      options: { type: 'field', filters: {} },
    },
    bom_item_detail: f.nested(table.bom_item, bomDetail, {
      flag: { name: 'bom_item_detail', list: true, detail: true, api530: false },
      api530: { metadata: { label: 'BOM Item' } },
      help: 'The BOM line.',
    }),
    part: f.extended(f.computed(Type.Integer(), '{part}', { api530: { metadata: { type: 'field' } }, help: 'The component.' })),
    part_detail: f.nested(table.part, () => partDetail(), {
      flag: { name: 'part_detail', list: true, detail: true, api530: false },
      api530: { metadata: { label: 'Part' }, value: { nested: { getShape: () => partBrief(), on: '{part}' } } },
      help: 'The component.',
    }),
    category_detail: f.nested('{part.category}', () => partCategoryBrief(), {
      flag: { name: 'category_detail' },
      api530: { metadata: { label: 'Category' } },
      help: 'The category of the component.',
    }),
    assembly_detail: f.nested('{bom_item.part}', () => partBrief(), {
      flag: { name: 'assembly_detail' },
      api530: { metadata: { label: 'Assembly' } },
      help: 'The part that needs the component.',
    }),
    build_reference: f.extended(
      f.computed(Type.String(), '{build.reference}', { label: 'Build Reference', help: 'The reference of the build order.' }),
    ),
    reference: f.extended(f.computed(Type.String(), '{bom_item.reference}', { help: 'The reference of the BOM line.' })),
    consumable: f.extended(
      f.computed(Type.Boolean(), '{bom_item.consumable}', { help: 'Whether the component is consumed without being counted.' }),
    ),
    optional: f.extended(
      f.computed(Type.Boolean(), '{bom_item.optional}', { help: 'Whether the assembly can be built without it.' }),
    ),
    testable: f.extended(f.computed(Type.Boolean(), '{part.testable}', { help: 'Whether the component can have tests.' })),
    trackable: f.extended(f.computed(Type.Boolean(), '{part.trackable}', { help: 'Whether the component is trackable.' })),
    inherited: f.extended(
      f.computed(Type.Boolean(), '{bom_item.inherited}', { help: 'Whether variants of the assembly inherit the BOM line.' }),
    ),
    allow_variants: f.extended(
      f.computed(Type.Boolean(), '{bom_item.allow_variants}', {
        label: 'Allow Variants',
        help: 'Whether variants of the component may be used instead.',
      }),
    ),
    quantity: f.column(table.quantity, {
      min: 0,
      order: true,
      api530: { metadata: { required: true } },
      help: 'The quantity needed, including the expected loss, in units of the component.',
    }),
    consumed: consumedField(),
    allocations: f.rows(buildAllocation.build_line, () => allocationBrief(), {
      flag: { name: 'allocations', list: true, detail: true, api530: false },
      help: 'The stock allocated to it.',
    }),
    allocated: {
      ...amount(allocated, 'The allocated quantity', 'Allocated Stock'),
      api530: { metadata: { label: 'Allocated' } },
      order: [allocated],
      filter: {
        kind: 'boolean',
        sql: `${allocated} >= ${STILL_NEEDED}`,
        help: 'Whether what it still needs is fully allocated.',
      },
    },
    in_production: amount(inProduction, 'The quantity of the component in production on open build orders', 'In Production'),
    scheduled_to_build: f.extended(
      amount(SCHEDULED_TO_BUILD, 'The quantity that open build orders have not completed yet', 'Scheduled to Build'),
    ),
    on_order: amount('coalesce({part.part_quantity.ordering}, 0)', 'The quantity of the component on order', 'On Order'),
    incoming: createIncomingField('{part}'),
    available_stock: {
      ...amount(ofComponent, AVAILABLE, 'Available Stock'),
      order: [ofComponent],
    },
    available_substitute_stock: {
      ...amount(ofSubstitutes, 'The same of its substitutes'),
      api530: { metadata: { label: 'Available Substitute Stock' } },
    },
    available_variant_stock: {
      ...amount(ofVariants, 'The same of all its other variants, whether allowed or not'),
      api530: { metadata: { label: 'Available Variant Stock' } },
    },
    total_available_stock: amount(TOTAL_AVAILABLE, 'The total of these three'),
    flawed_stock: flawedStock({ parts: '(select variant.pk {from part} variant where variant.path @> array[{part}])', within }),
    external_stock: {
      ...amount(
        EXTERNAL_STOCK,
        'The quantity of the component in stock in external locations; in the list of one build order (`build`) with a source location, only there and below it',
      ),
      api530: { metadata: { label: 'External Stock' } },
    },
  },
  parameters: { ...locationParameters, of_one_build: (_, { build = '' }) => build !== '' },
  filters: {
    order_outstanding: {
      kind: 'boolean',
      sql: `{build.status} in ${ACTIVE_STATES_SQL}`,
      help: 'Whether the build order is open: pending, in production or on hold.',
    },
    consumable: {
      kind: 'boolean',
      sql: '({bom_item.consumable} or {part.consumable})',
      help: 'Whether it is consumed without being counted.',
    },
    optional: { kind: 'boolean', sql: '{bom_item.optional}', help: 'Whether the assembly can be built without it.' },
    tracked: {
      kind: 'boolean',
      sql: '{part.trackable}',
      help: 'Whether the component is tracked: allocated to individual outputs.',
    },
    part: {
      kind: 'reference',
      table: () => partTable,
      sql: '{part} = {@value}',
      help: 'Lines for the component with this key.',
    },
    assembly: {
      kind: 'custom',
      names: {
        assembly: 'Lines of build orders for the part with this key; `true` or `false`: whether the component is an assembly.',
      },
      read({ assembly = '' }) {
        if (/^(true|false)$/i.test(assembly)) return { sql: '{part.assembly} = {@value}::boolean', values: [assembly] }
        const pk = readKey(assembly)
        if (pk === undefined) throw unknownReference('assembly')
        const condition = { sql: '{build.part} = {@value}::integer', values: [pk] }
        return { name: 'assembly', table: partTable, pk, negative: false, ignore: false, condition }
      },
    },
    testable: { kind: 'boolean', sql: '{part.testable}', help: 'Whether the component can have tests.' },
    on_order: {
      kind: 'boolean',
      sql: 'coalesce({part.part_quantity.ordering}, 0) > 0',
      help: 'Whether the component is on order.',
    },
    overallocated: {
      kind: 'boolean',
      sql: `(select sum(allocation.quantity) {from build_allocation} allocation where allocation.build_line = {pk} and allocation.is_open) > ${STILL_NEEDED}`,
      help: 'Whether more is allocated to it than it still needs, and not consumed yet.',
    },
    available: {
      kind: 'boolean',
      sql: `${STILL_NEEDED} <= ${TOTAL_AVAILABLE} + ${allocated}`,
      help: 'Whether available and allocated stock cover the quantity that is still needed.',
    },
  },
  search: ['{part.name}', '{bom_item.reference}'],
  searchedBy530: ['{part.IPN}', '{part.description}'],
  order: {
    part: ['{part.name}'],
    IPN: ['{part.IPN}'],
    on_order: ['coalesce({part.part_quantity.ordering}, 0)'],
    scheduled_to_build: [SCHEDULED_TO_BUILD],
    reference: ['{bom_item.reference}'],
    consumable: ['{bom_item.consumable}'],
    optional: ['{bom_item.optional}'],
    unit_quantity: ['{bom_item.quantity}'],
    trackable: ['{part.trackable}'],
    allow_variants: ['{bom_item.allow_variants}'],
    inherited: ['{bom_item.inherited}'],
    testable: ['{part.testable}'],
  },
  locksFirst: lockLines,
  rules: rejectCreation,
})

/** The consumed quantity. A PUT without it leaves it: clients of earlier versions do not know it, and it would count as needed again. */
function consumedField(): f.Field {
  const field = f.column(table.consumed, {
    min: 0,
    order: true,
    filter: { kind: 'boolean', sql: '{consumed} >= {quantity}', help: 'Whether all of it is consumed.' },
    api530: { metadata: { required: true } },
    help: 'The quantity that the build order has consumed or installed in its outputs, in units of the component; it is not needed again.',
  })
  return { ...field, isKeptOnPut: true }
}

/** Locks the build order before a line changes; before a line is deleted also its allocations. */
async function lockLines(tx: Tx, pks: readonly number[]): Promise<void> {
  await tx.query(
    `select from build_order where pk in (select build from build_line where pk = any($1::integer[])) order by pk for no key update`,
    [pks],
  )
  await lockStockItemsByQuery(tx, 'select stock_item from build_allocation where build_line = any($1::integer[])', [pks], {
    parts: { text: 'select part from build_line where pk = any($2::integer[])', values: [pks] },
  })
}

const LINES_FOLLOW_BOM = buildErrors.build_lines_follow_bom

function rejectCreation({ before, errors }: Write): void {
  if (!before) Object.assign(errors, { build: [LINES_FOLLOW_BOM], bom_item: [LINES_FOLLOW_BOM] })
}
