import type { Right } from '../../kit/request/caller.ts'

/** All roles in the order in which clients see them, with the labels that clients of API 530 know. A group has a rule set for each. */
export const ROLE_LABELS = {
  admin: 'Admin',
  part_category: 'Part Categories',
  part: 'Parts',
  stocktake: 'Stocktake',
  stock_location: 'Stock Locations',
  stock: 'Stock Items',
  build: 'Build Orders',
  purchase_order: 'Purchase Orders',
  sales_order: 'Sales Orders',
  return_order: 'Return Orders',
  bom: 'Bills of Material',
  transfer_order: 'Transfer Orders',
} as const

/** Selects the label of a role. */
export const selectRoleLabel = (role: string): string =>
  `case ${role} ${Object.entries(ROLE_LABELS)
    .map(([name, label]) => `when '${name}' then '${label}'`)
    .join(' ')} else '' end`

export type Role = keyof typeof ROLE_LABELS

export const ROLES = Object.keys(ROLE_LABELS) as readonly Role[]

export const RIGHTS: readonly Right[] = ['view', 'add', 'change', 'delete']
