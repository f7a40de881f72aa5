import { getTableName } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { quote } from '../../../kit/sql/sql.ts'
import { selectMisdirectedCodes } from '../../barcode/assign-codes.ts'
import { kinds } from '../../barcode/kinds.ts'
import { buildOrder } from '../../build/build.table.ts'
import { ACTIVE_STATES_SQL } from '../../build/build-status.ts'
import { buildAllocation } from '../../build/item/build-allocation.table.ts'
import { buildLine } from '../../build/line/build-line.table.ts'
import { supplierPart } from '../../company/part/supplier-part.table.ts'
import { STATEFUL } from '../../generic/status/custom/custom-states.ts'
import { type OrderKind, openStates, tableName } from '../../order/order-kind.ts'
import { PURCHASE_ORDER } from '../../order/po/po-kind.ts'
import { purchaseOrderLine } from '../../order/po-line/po-line.table.ts'
import { RETURN_ORDER } from '../../order/ro/ro-kind.ts'
import { salesOrderShipment } from '../../order/so/shipment/shipment.table.ts'
import { SALES_ORDER } from '../../order/so/so-kind.ts'
import { salesOrderAllocation } from '../../order/so-allocation/so-allocation.table.ts'
import { salesOrderLine } from '../../order/so-line/so-line.table.ts'
import { lineAmount } from '../../order/total.ts'
import { transferOrder } from '../../order/transfer-order/transfer-order.table.ts'
import { TRANSFER_ORDER } from '../../order/transfer-order/transfer-order-kind.ts'
import { transferOrderAllocation } from '../../order/transfer-order-allocation/transfer-order-allocation.table.ts'
import { transferOrderLine } from '../../order/transfer-order-line/transfer-order-line.table.ts'
import { allocatedSql } from '../allocated-quantities.ts'
import { stockItem } from '../stock-item.table.ts'
import { stockTracking } from '../track/stock-tracking.table.ts'
import type { Check } from './check.ts'
import { getModel } from './objects.ts'

const orderKinds = [PURCHASE_ORDER, SALES_ORDER, RETURN_ORDER]

/** Problem text for a sum that differs from its recount. */
const DIFFERENCE = `format('%s is %s, counted %s', what, coalesce(stored::text, 'null'), counted)`

/** Tables whose references are checked. */
const REFERRING_TABLES = [
  stockItem,
  stockTracking,
  supplierPart,
  ...orderKinds.flatMap(({ table, lines, extraLines }) => [table, lines.table, extraLines]),
  salesOrderShipment,
  salesOrderAllocation,
  transferOrder,
  transferOrderLine,
  transferOrderAllocation,
  buildOrder,
  buildLine,
  buildAllocation,
]

/** All checks, in order. */
export const checks: readonly Check[] = [
  {
    name: 'on_hand',
    holds: 'The quantity of an item is its opening quantity plus the changes in its history.',
    violationsQuery: `select 'stockitem' as model, item.pk,
        format('%s on hand, but it opened with %s and its history brought %s',
          trim_scale(item.quantity), trim_scale(item.opening_quantity), trim_scale(coalesce(history.change, 0))) as problem
      from stock_item item
      left join (
        select item, sum(quantity_change) as change from stock_tracking where quantity_change <> 0 group by item
      ) history on history.item = item.pk
      where item.quantity <> item.opening_quantity + coalesce(history.change, 0)`,
  },
  {
    name: 'not_negative',
    holds: 'No quantity is below zero.',
    violationsQuery: [
      negativeQuery(stockItem, 'quantity'),
      negativeQuery(purchaseOrderLine, 'quantity', 'received'),
      negativeQuery(salesOrderLine, 'quantity', 'shipped'),
      negativeQuery(salesOrderAllocation, 'quantity'),
      negativeQuery(transferOrderLine, 'quantity', 'transferred'),
      negativeQuery(transferOrderAllocation, 'quantity'),
      negativeQuery(buildOrder, 'quantity', 'completed'),
      negativeQuery(buildLine, 'quantity', 'consumed'),
      negativeQuery(buildAllocation, 'quantity'),
    ].join(' union all '),
  },
  {
    name: 'single_units',
    holds: 'An item with a serial number is a single unit.',
    violationsQuery: `select 'stockitem' as model, pk, format('serial number %s, but %s on hand', serial, trim_scale(quantity)) as problem
      from stock_item where serial <> '' and quantity <> 1`,
  },
  {
    name: 'serial_numbers',
    holds: 'A serial number is unique among a part, its templates and all their variants.',
    violationsQuery: `select 'stockitem' as model, item.pk, format('serial number %s is that of %s items', item.serial, duplicate.items) as problem
      from stock_item item
      join part on part.pk = item.part
      join (
        select part.path[1] as root, item.serial, count(*) as items
        from stock_item item join part on part.pk = item.part where item.serial <> '' group by 1, 2 having count(*) > 1
      ) duplicate on duplicate.serial = item.serial and duplicate.root = part.path[1]`,
  },
  {
    name: 'serial_numbers_everywhere',
    holds: 'A serial number is unique across all parts, if SERIAL_NUMBER_GLOBALLY_UNIQUE requires that for new ones.',
    isWarning: true,
    applies: (settings) => settings.get('SERIAL_NUMBER_GLOBALLY_UNIQUE'),
    violationsQuery: `select 'stockitem' as model, item.pk, format('serial number %s is that of %s items', item.serial, duplicate.items) as problem
      from stock_item item
      join (
        select serial, count(*) as items from stock_item where serial <> '' group by serial having count(*) > 1
      ) duplicate on duplicate.serial = item.serial`,
  },
  {
    name: 'barcodes',
    holds: 'A scanned barcode resolves to an object that has it.',
    violationsQuery: `select code.kind as model, code.object as pk,
        format('a scan of the barcode %s finds it, but it has %s', code.hash, coalesce('the barcode ' || nullif(object.barcode_hash, ''), 'none')) as problem
      from linked_code code
      left join (
        ${kinds.map(({ key, table }) => `select '${key}' as kind, pk, barcode_hash, barcode_key from ${table} where barcode_hash <> ''`).join(' union all ')}
      ) object on object.kind = code.kind and object.pk = code.object
      where code.hash is distinct from object.barcode_hash
        or code.key is distinct from coalesce(nullif(object.barcode_key, ''), object.barcode_hash)`,
  },
  {
    name: 'shared_barcodes',
    holds:
      'A barcode belongs to one object. If a scan finds another, both were imported with it; if it finds nothing, it can be linked again.',
    isWarning: true,
    violationsQuery: selectMisdirectedCodes(kinds),
  },
  {
    name: 'allocations',
    holds: 'The allocated quantity of a stock item is the sum of its open allocations, and never more than its quantity.',
    violationsQuery: `select 'stockitem' as model, item as pk, format('allocated_to_sales_orders is %s, counted %s', stored, counted) as problem
      from verify_allocations()
      union all
      select 'stockitem', pk, format('%s on hand, but %s allocated', trim_scale(quantity), trim_scale(${allocatedSql()}))
      from stock_item where ${allocatedSql()} > quantity
      union all
      select 'stockitem', item, format('allocated_to_build_orders is %s, counted %s', stored, counted) from verify_build_allocations()
      union all
      select 'stockitem', item, format('allocated_to_transfer_orders is %s, counted %s', stored, counted) from verify_transfer_allocations()`,
  },
  {
    name: 'allocated_shipments',
    holds: 'Allocated stock ships with a shipment of the order that it is allocated to.',
    violationsQuery: `select 'salesorderallocation' as model, allocation.pk,
        format('its line is of order %s, its shipment of order %s', line."order", shipment."order") as problem
      from sales_order_allocation allocation
      join sales_order_line line on line.pk = allocation.line
      join sales_order_shipment shipment on shipment.pk = allocation.shipment
      where shipment."order" <> line."order"`,
  },
  {
    name: 'left_allocations',
    holds: 'Allocated stock remains in stock until its shipment ships or its order is closed.',
    violationsQuery: `select 'salesorderallocation' as model, allocation.pk,
        case when allocation.is_open then format('it is here, but its shipment left on %s', shipment.shipment_date)
          else 'it has left, but its shipment has not' end as problem
      from sales_order_allocation allocation
      join sales_order_shipment shipment on shipment.pk = allocation.shipment
      join sales_order o on o.pk = shipment."order"
      where allocation.is_open = (shipment.shipment_date is not null)
        and (allocation.is_open or o.status in ${openStates(SALES_ORDER)})`,
  },
  {
    name: 'build_allocations',
    holds:
      'Stock is allocated to a build order only while the order is open, and to an output only while that output is incomplete and belongs to the same build order.',
    violationsQuery: `select 'builditem' as model, allocation.pk,
        case when b.status not in ${ACTIVE_STATES_SQL} then 'its build order is complete or cancelled'
          when output.build is distinct from b.pk then format('it goes into an output of build order %s, its line is of %s', output.build, b.pk)
          else 'the output into which it goes is complete' end as problem
      from build_allocation allocation
      join build_line line on line.pk = allocation.build_line
      join build_order b on b.pk = line.build
      left join stock_item output on output.pk = allocation.install_into
      where allocation.is_open and (b.status not in ${ACTIVE_STATES_SQL} or (
        output.pk is not null and (output.build is distinct from b.pk or not output.is_building)
      ))`,
  },
  {
    name: 'custom_states',
    holds: 'The custom state of stock, or of an order, exists and belongs to its status.',
    violationsQuery: Object.entries(STATEFUL)
      .map(
        ([name, { table, model }]) => `select '${model}' as model, own.pk,
          case when state.pk is null then format('custom state %s is not there', own.status_custom_key)
            else format('its status is %s, that of its custom state %s', own.status, state.logical_key) end as problem
        from ${table} own left join custom_state state on state.reference_status = '${name}' and state.key = own.status_custom_key
        where own.status_custom_key is not null and state.logical_key is distinct from own.status`,
      )
      .join(' union all '),
  },
  {
    name: 'transfer_allocations',
    holds: 'Stock is allocated to a transfer order only while the order is open.',
    violationsQuery: `select 'transferorderallocation' as model, allocation.pk, 'its transfer order is complete or cancelled' as problem
      from transfer_order_allocation allocation
      join transfer_order_line line on line.pk = allocation.line
      join transfer_order o on o.pk = line."order"
      where allocation.is_open and o.status not in ${openStates(TRANSFER_ORDER)}`,
  },
  {
    name: 'used_up',
    holds: 'Stock that a build order consumed is not allocated to another order.',
    violationsQuery: `select 'stockitem' as model, pk, format('build order %s consumed it, but %s are allocated', consumed_by,
        trim_scale(${allocatedSql()})) as problem
      from stock_item where consumed_by is not null and ${allocatedSql()} > 0`,
  },
  {
    name: 'part_sums',
    holds: 'The totals of a part match its stock, order lines and suppliers.',
    violationsQuery: `select 'part' as model, part as pk, ${DIFFERENCE} as problem from verify_quantities()
      union all
      select 'part', part, ${DIFFERENCE} from verify_transfer_quantities()`,
  },
  {
    name: 'line_counts',
    holds: 'The line counts of an order match its lines.',
    violationsQuery: `select 'purchaseorder' as model, "order" as pk, ${DIFFERENCE} as problem from verify_line_counts()
      union all
      select 'salesorder', "order", ${DIFFERENCE} from verify_sales_line_counts()
      union all
      select 'returnorder', "order", ${DIFFERENCE} from verify_return_line_counts()
      union all
      select 'transferorder', "order", ${DIFFERENCE} from verify_transfer_line_counts()`,
  },
  {
    name: 'order_totals',
    holds:
      'The total of an order matches its lines. A difference comes from the import of the order, or from exchange rates that have changed since.',
    isWarning: true,
    violationsQuery: orderKinds.map(wrongTotalsQuery).join(' union all '),
  },
  {
    name: 'trees',
    holds: 'Categories, locations and variants match the tree of their parents.',
    violationsQuery: `select case tree when 'part_category' then 'partcategory' when 'stock_location' then 'stocklocation' else tree end as model,
        pk, 'its place in the tree is not what those above it say' as problem
      from verify_trees()`,
  },
  {
    name: 'split_items',
    holds: 'No stock item was split from itself.',
    violationsQuery: cycleQuery('parent', 'it was split from an item that was split from it'),
  },
  {
    name: 'installed_items',
    holds: 'No stock item is installed in itself.',
    violationsQuery: cycleQuery('belongs_to', 'it is installed in an item that is installed in it'),
  },
  {
    name: 'row_totals',
    holds: 'The row count of a table for its lists matches its rows. Housekeeping corrects it within an hour.',
    violationsQuery: `select 'table' as model, relation::oid::bigint as pk,
        format('%s rows, counted %s', total, total + missing_rows(name, relation)) as problem
      from watched_table
      join lateral (
        select coalesce(sum(rows), 0) as total, bool_or(slot = -1) as to_be_counted from change_counter where table_name = name
      ) counted on to_be_counted is not true
      where missing_rows(name, relation) <> 0`,
  },
  {
    name: 'holdings',
    holds:
      'The item count of a location or category matches its items, in total and in stock. Housekeeping corrects it within an hour.',
    violationsQuery: `select case "of" when 'part' then 'partcategory' when 'stock_item' then 'stocklocation' else 'table' end as model,
        case when "of" in ('part', 'stock_item') then place else 'stock_item'::regclass::oid::bigint end as pk,
        format('it holds %s, counted %s', counted, stored) as problem
      from verify_holdings()`,
  },
  {
    name: 'references',
    holds: 'Every referenced object exists.',
    violationsQuery: REFERRING_TABLES.flatMap(danglingQueries).join(' union all '),
  },
]

function negativeQuery(table: PgTable, ...columns: string[]): string {
  const problem = columns.map((column) => `case when ${column} < 0 then '${column} ' || trim_scale(${column}) end`).join(', ')
  return `select '${getModel(getTableName(table))}' as model, pk, concat_ws(', ', ${problem}) as problem
    from ${tableName(table)} where ${columns.map((column) => `${column} < 0`).join(' or ')}`
}

/** Builds a select of items in a cycle, by a column that refers to the next item. Few items refer to any. */
function cycleQuery(column: string, problem: string): string {
  return `with recursive acyclic as (
     select item.pk from stock_item item join stock_item next on next.pk = item.${column} where next.${column} is null
     union all
     select item.pk from stock_item item join acyclic on item.${column} = acyclic.pk
   )
   select 'stockitem' as model, item.pk, '${problem}' as problem
   from stock_item item join stock_item next on next.pk = item.${column}
   where not exists (select from acyclic where acyclic.pk = item.pk)`
}

/** Builds a select of dangling references for each column of a table that refers to another table. */
function danglingQueries(table: PgTable): string[] {
  const { name, foreignKeys } = getTableConfig(table)
  return foreignKeys.map((key) => {
    const { columns, foreignTable, foreignColumns } = key.reference()
    const [column, target] = [quote(columns[0]?.name ?? ''), quote(foreignColumns[0]?.name ?? '')]
    return `select '${getModel(name)}' as model, pk, format('%s %s is not there', '${columns[0]?.name}', ${column}) as problem
      from ${quote(name)} own
      where ${column} is not null and not exists (select from ${tableName(foreignTable)} other where other.${target} = own.${column})`
  })
}

/**
 * Builds a select of orders whose stored total differs from that of their lines in its currency. Converted amounts count as different only
 * above the last decimal, which PostgreSQL may round differently.
 */
function wrongTotalsQuery({ model, table, lines, extraLines }: OrderKind): string {
  const { price } = lines
  return `(
    with rate as (
      select currency, rate from currency_rate where base = (select base from currency_rate order by updated desc, pk desc limit 1)
      union
      (select base, 1 from currency_rate order by updated desc, pk desc limit 1)
    ), line as (
      select "order", currency, sum(amount) as amount from (
        select "order", ${price}_currency as currency, ${lineAmount(price)} as amount from ${tableName(lines.table)} where ${price} <> 0
        union all
        select "order", price_currency, ${lineAmount('price')} from ${tableName(extraLines)} where price <> 0
      ) priced group by "order", currency
    ), counted as (
      select o.pk, o.total_price as stored, o.total_price_currency as currency,
        bool_or(line.currency <> o.total_price_currency) as converted,
        case when count(*) = count(case when line.currency is null or line.currency = o.total_price_currency then 1 else source.rate * target.rate end)
          then coalesce(sum(line.amount * case when line.currency = o.total_price_currency then 1 else target.rate / source.rate end), 0)
        end as counted
      from ${tableName(table)} o
      left join line on line."order" = o.pk
      left join rate source on source.currency = line.currency and line.currency <> o.total_price_currency
      left join rate target on target.currency = o.total_price_currency and line.currency <> o.total_price_currency
      group by o.pk
    )
    select '${model}' as model, pk, format('total_price is %s, %s', coalesce(stored::text, 'null'),
      case when counted is null then format('but for a currency of its lines no exchange rate to %s is known', currency)
        else format('counted %s %s', round(counted, 6), currency) end) as problem
    from counted
    where case when converted then abs(stored - counted) > 0.000001 or (stored is null) <> (counted is null)
      else stored is distinct from round(counted, 6) end
  )`
}
