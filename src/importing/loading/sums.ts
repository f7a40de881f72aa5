import { getTableName } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import { kinds } from '../../resources/barcode/kinds.ts'

/** The triggers that keep sums while rows are added one statement at a time, and those that give codes (`codes.ts`). */
const triggers = [
  ...kinds.map(({ resource }) => [getTableName(resource.table), 'keep_code_insert']),
  ['stock_item', 'count_stock_insert'],
  ['supplier_part', 'count_suppliers'],
  ['build_order', 'count_building_insert'],
  ['build_order', 'make_lines_insert'],
  ['build_line', 'count_lines_insert'],
  ['bom_item', 'follow_insert'],
  ['purchase_order_line', 'count_lines_insert'],
  ['sales_order_line', 'count_lines_insert'],
  ['return_order_line', 'count_lines_insert'],
]

/**
 * Runs `load` without keeping the sums of parts and orders meanwhile, and counts them once at its end; nor are codes given. Kept all the time, each
 * statement would write the same sums again, and within one transaction every version of them stays and is looked at.
 */
export async function countOnce(client: PoolClient, load: () => Promise<void>): Promise<void> {
  for (const [table, trigger] of triggers) await client.query(`alter table ${table} disable trigger ${trigger}`)
  await load()
  for (const [table, trigger] of triggers) await client.query(`alter table ${table} enable trigger ${trigger}`)
  // what is imported is no news
  await client.query('alter table part_quantity disable trigger notice_low_stock')
  await client.query(updateFrom('part_quantity', 'part', 'verify_quantities()', partSums))
  await client.query('alter table part_quantity enable trigger notice_low_stock')
  await client.query(updateFrom('purchase_order', 'order', 'verify_line_counts()', orderSums))
  await client.query(updateFrom('sales_order', 'order', 'verify_sales_line_counts()', orderSums))
  await client.query(updateFrom('return_order', 'order', 'verify_return_line_counts()', orderSums))
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

/** Sets the sums of which a check says that they differ to what it counted. */
const updateFrom = (table: string, key: string, check: string, sums: string[]): string =>
  `update ${table} set ${sums.map((sum) => `${sum} = coalesce(fresh.${sum}, ${table}.${sum})`).join(', ')}
   from (
     select "${key}" as key, ${sums.map((sum) => `max(counted) filter (where what = '${sum}') as ${sum}`).join(', ')}
     from ${check} group by "${key}"
   ) fresh
   where ${table}.pk = fresh.key`
