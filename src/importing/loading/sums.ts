import { getTableName } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import { kinds } from '../../resources/barcode/kinds.ts'
import { orderKinds } from '../../resources/notifications/order-notifications.ts'

/** Triggers that maintain sums while rows are added one statement at a time, and triggers that assign barcodes (`codes.ts`). */
const triggers = [
  ...kinds.map(({ resource }) => [getTableName(resource.table), 'keep_code_insert']),
  ['stock_item', 'count_stock_insert'],
  ['supplier_part', 'count_suppliers'],
  ['build_order', 'count_building_insert'],
  ['build_order', 'make_lines_insert'],
  ['build_line', 'count_lines_insert'],
  ['bom_item', 'follow_insert'],
  ...orderKinds.map(({ lines }) => [getTableName(lines.table), 'count_lines_insert']),
]

const orders = orderKinds.map(({ table }) => getTableName(table))

/**
 * Runs `load` with the triggers for sums of parts and orders and for barcodes disabled, then computes the sums once. With the triggers
 * enabled, each statement would rewrite the same sums, and PostgreSQL would visit all their row versions until the transaction ends.
 */
export async function deferTotals(client: PoolClient, load: () => Promise<void>): Promise<void> {
  // the times of the last changes are those of the dump
  for (const table of orders) await client.query(`alter table ${table} disable trigger date_change`)
  for (const [table, trigger] of triggers) await client.query(`alter table ${table} disable trigger ${trigger}`)
  await load()
  for (const [table, trigger] of triggers) await client.query(`alter table ${table} enable trigger ${trigger}`)
  // an import sends no notifications
  await client.query('alter table part_quantity disable trigger notice_low_stock')
  await client.query(buildUpdate('part_quantity', 'part', 'verify_quantities()', partSums))
  await client.query(buildUpdate('part_quantity', 'part', 'verify_transfer_quantities()', ['allocated_to_transfer_orders']))
  await client.query('alter table part_quantity enable trigger notice_low_stock')
  await client.query(buildUpdate('purchase_order', 'order', 'verify_line_counts()', orderSums))
  await client.query(buildUpdate('sales_order', 'order', 'verify_sales_line_counts()', orderSums))
  await client.query(buildUpdate('return_order', 'order', 'verify_return_line_counts()', orderSums))
  await client.query(buildUpdate('transfer_order', 'order', 'verify_transfer_line_counts()', orderSums))
  for (const table of orders) await client.query(`alter table ${table} enable trigger date_change`)
}

const partSums = [
  'in_stock',
  'stock_item_count',
  'in_stock_item_count',
  'external_stock',
  'variant_stock',
  'ordering',
  'suppliers',
  'allocated_to_sales_orders',
  'required_for_sales_orders',
  'building',
  'allocated_to_build_orders',
  'required_for_build_orders',
]
const orderSums = ['line_items', 'completed_lines']

/** Updates the sums that a check reports as different to the values that it counted. */
const buildUpdate = (table: string, key: string, check: string, sums: string[]): string =>
  `update ${table} set ${sums.map((sum) => `${sum} = coalesce(fresh.${sum}, ${table}.${sum})`).join(', ')}
   from (
     select "${key}" as key, ${sums.map((sum) => `max(counted) filter (where what = '${sum}') as ${sum}`).join(', ')}
     from ${check} group by "${key}"
   ) fresh
   where ${table}.pk = fresh.key`
