import { Type } from 'typebox'
import { Json, view } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import { Parameters, Scope } from '../../kit/sql/sql.ts'
import { bomItem, CAN_BUILD } from '../bom/bom-item.resource.ts'
import { ACTIVE_STATES_SQL } from '../build/build-status.ts'
import { allocatedSql } from '../stock/allocated-quantities.ts'

const sum = (column: string): string => `sum(q.${column})`

/** Sums the quantities without the expected loss, which `required_for_build_orders` of the part includes. */
const requiredForBuilds = `coalesce((
  select sum(greatest(b.quantity * item.quantity - line.consumed, 0))
  from part component join build_line line on line.part = component.pk
  join build_order b on b.pk = line.build join bom_item item on item.pk = line.bom_item
  where component.path @> array[own.pk] and b.status in ${ACTIVE_STATES_SQL}
), 0)`

/** Keys of the response, in units of the part, with their SQL. */
const responseFields: Record<string, { help: string; sql: string }> = {
  available_stock: {
    help: 'The unallocated stock of the part and its variants; at least 0.',
    sql: `greatest(${sum('in_stock')} - ${allocatedSql(sum)}, 0)`,
  },
  on_order: { help: 'The quantity of the part itself on order.', sql: 'own.ordering' },
  required_build_order_quantity: {
    help: 'The quantity required for open build orders, of the part and its variants, without the expected loss and what is consumed already.',
    sql: requiredForBuilds,
  },
  allocated_build_order_quantity: {
    help: 'The quantity allocated to build orders, of the part and its variants.',
    sql: sum('allocated_to_build_orders'),
  },
  required_sales_order_quantity: {
    help: 'The quantity still required for open sales orders, of the part itself.',
    sql: 'own.required_for_sales_orders',
  },
  allocated_sales_order_quantity: {
    help: 'The quantity allocated to sales orders, of the part and its variants.',
    sql: sum('allocated_to_sales_orders'),
  },
  allocated: {
    help: 'The total quantity allocated to build orders and sales orders.',
    sql: allocatedSql(sum),
  },
  required: {
    help: 'The total quantity required for build orders and sales orders.',
    sql: `${requiredForBuilds} + own.required_for_sales_orders`,
  },
}

function buildStatement(fields: typeof responseFields): string {
  const pairs = Object.entries(fields).map(([key, { sql }]) => `'${key}', trim_scale(${sql})`)
  return `select json_build_object(${pairs.join(', ')})::text as body
    from part_quantity own
    join part p on p.path @> array[own.pk]
    join part_quantity q on q.pk = p.pk
    where own.pk = $1
    group by own.pk`
}

const STATEMENT = buildStatement(responseFields)

/** Keys that clients of API 530 know instead, with their SQL. */
const extendedFields: Record<string, { help: string; sql: string }> = {
  total_stock: { help: 'The stock of the part and its variants.', sql: sum('in_stock') },
  unallocated_stock: {
    help: 'The same, without what is allocated; at least 0.',
    sql: `greatest(${sum('in_stock')} - ${allocatedSql(sum)}, 0)`,
  },
  ordering: { help: 'The quantity of the part itself on order.', sql: 'own.ordering' },
  building: {
    help: 'The quantity of the part itself in production: outputs of open build orders.',
    sql: `coalesce((
      select sum(item.quantity) from stock_item item join build_order build on build.pk = item.build
      where item.part = own.pk and item.is_building and build.status in ${ACTIVE_STATES_SQL}
    ), 0)`,
  },
  scheduled_to_build: {
    help: 'The quantity of the part and its variants that open build orders have not completed yet.',
    sql: `coalesce((
      select sum(greatest(build.quantity - build.completed, 0))
      from build_order build join part built on built.pk = build.part
      where built.path @> array[own.pk] and build.status in ${ACTIVE_STATES_SQL}
    ), 0)`,
  },
  required_for_build_orders: { help: 'The quantity required for open build orders.', sql: requiredForBuilds },
  allocated_to_build_orders: { help: 'The quantity allocated to build orders.', sql: sum('allocated_to_build_orders') },
  required_for_sales_orders: {
    help: 'The quantity still required for open sales orders, of the part and its variants.',
    sql: sum('required_for_sales_orders'),
  },
  allocated_to_sales_orders: { help: 'The quantity allocated to sales orders.', sql: sum('allocated_to_sales_orders') },
}

/** How many units of a part its available components make: as many as the scarcest one. 0 for a part without a BOM. */
const CAN_BUILD_HELP = 'The quantity that the available stock of its components makes; 0 without a BOM.'

/** Selects it as `can_build`, for the part with the key of the first parameter. */
function buildCanBuildStatement(): string {
  const scope = new Scope(bomItem.table, 'line', new Parameters())
  const canBuild = scope.expression(CAN_BUILD)
  const isConsumable = scope.expression('{consumable} or {sub_part.consumable}')
  return `select trim_scale(coalesce(min(${canBuild}), 0))::text as can_build from bom_item line ${scope.joins}
    where line.pk in (select pk from bom_lines($1)) and not (${isConsumable})`
}
const CAN_BUILD_STATEMENT = buildCanBuildStatement()

const EXTENDED_STATEMENT = buildStatement({ ...responseFields, ...extendedFields })

export const readRequirements = view({
  path: '/api/part/{id}/requirements/',
  summary: 'Get the requirements of a part',
  description:
    'Returns the stock of a part and its variants, the quantity on order, and the quantities that build orders and sales orders require.',
  access: roles('part'),
  example: { params: { id: 41 } },
  response: Type.Object(
    Object.fromEntries(
      Object.entries({ ...responseFields, ...extendedFields, can_build: { help: CAN_BUILD_HELP } }).map(([key, { help }]) => {
        const schema = Type.Number({ description: `${help} In units of the part.` })
        return [key, key in responseFields ? schema : Type.Optional(schema)]
      }),
    ),
  ),
  api530: {
    metadata: {
      total_stock: { label: 'Total Stock' },
      unallocated_stock: { label: 'Available Stock' },
      can_build: { label: 'Can Build' },
      ordering: { label: 'On Order' },
      building: { label: 'In Production' },
      scheduled_to_build: { type: 'integer', label: 'Scheduled to Build' },
      required_for_build_orders: { label: 'Required for Build Orders' },
      allocated_to_build_orders: { label: 'Allocated to Build Orders' },
      required_for_sales_orders: { label: 'Required for Sales Orders' },
      allocated_to_sales_orders: { type: 'field', label: 'Allocated to Sales Orders' },
    },
  },
  async read({ pk, database, config }) {
    const text = config.wire.extendedFields ? EXTENDED_STATEMENT : STATEMENT
    const [row] = await database.read<{ body: string }>({ text, values: [pk] })
    if (!row) throw notFound()
    if (!config.wire.extendedFields) return new Json(row.body)
    const [bom] = await database.read<{ can_build: string }>({ text: CAN_BUILD_STATEMENT, values: [pk] })
    return new Json(`${row.body.slice(0, -1)}, "can_build" : ${bom?.can_build}}`)
  },
})
