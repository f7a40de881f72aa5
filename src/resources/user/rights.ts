import type { Right } from '../../kit/caller.ts'

/** Every role, in the order in which clients see them. A group has a rule set for each. */
export const ROLES = [
  'admin',
  'part_category',
  'part',
  'stocktake',
  'stock_location',
  'stock',
  'build',
  'purchase_order',
  'sales_order',
  'return_order',
] as const

export const RIGHTS: readonly Right[] = ['view', 'add', 'change', 'delete']
