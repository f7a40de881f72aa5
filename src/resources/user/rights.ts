import type { Right } from '../../kit/request/caller.ts'

/** Every role, in the order in which clients see them, and what it is about. A group has a rule set for each. */
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
} as const

export type Role = keyof typeof ROLE_LABELS

export const ROLES = Object.keys(ROLE_LABELS) as readonly Role[]

export const RIGHTS: readonly Right[] = ['view', 'add', 'change', 'delete']
