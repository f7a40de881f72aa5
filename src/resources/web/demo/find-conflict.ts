import type { RunQuery } from '../../../kit/sql/run-query.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { serviceErrors } from '../../service-errors.ts'
import { accounts, groups } from './demo-accounts.ts'

/**
 * Tables whose objects the demo data reference by key, counted from 1: all of them must be empty. Orders may outlive their company, so that
 * one empty table does not imply another.
 */
export const INVENTORY = [
  'company',
  'part',
  'part_category',
  'stock_location',
  'purchase_order',
  'project_code',
  'stock_item',
  'sales_order',
  'return_order',
  'build_order',
  'supplier_part',
  'manufacturer_part',
]

/** The reason why the demo cannot be added to existing accounts; undefined if it can. */
export async function findDemoConflict(query: RunQuery): Promise<ErrorMessage | undefined> {
  for (const table of INVENTORY) {
    const [row] = await query(`select from ${table} limit 1`)
    if (row) return serviceErrors.demo_over_inventory({ kind: table.replaceAll('_', ' ') })
  }
  const [account] = await query<{ username: string }>('select username from user_account where username = any($1::text[])', [
    accounts.map(({ username }) => username),
  ])
  if (account) return serviceErrors.demo_account_exists({ username: account.username })
  const [group] = await query<{ name: string }>('select name from user_group where name = any($1::text[])', [
    groups.map(({ name }) => name),
  ])
  return group && serviceErrors.demo_group_exists({ name: group.name })
}
