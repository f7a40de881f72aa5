import type { Right } from '../../kit/request/caller.ts'

/** All roles in the order in which clients see them, with their labels. A group has a rule set for each. */
export const ROLE_LABELS = {
  admin: 'Administration',
  part_category: 'Part categories',
  part: 'Parts',
  stocktake: 'Stocktake',
  stock_location: 'Stock locations',
  stock: 'Stock items',
  build: 'Build orders',
  purchase_order: 'Purchase orders',
  sales_order: 'Sales orders',
  return_order: 'Return orders',
  bom: 'Bills of materials',
  transfer_order: 'Transfer orders',
} as const

export type Role = keyof typeof ROLE_LABELS

export const ROLES = Object.keys(ROLE_LABELS) as readonly Role[]

export const RIGHTS: readonly Right[] = ['view', 'add', 'change', 'delete']
