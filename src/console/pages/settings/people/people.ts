import { type PlainKey, t } from '../../../kit/language/language.ts'
import type { Account } from '../../../kit/service/session.ts'

/** A group of accounts, as accounts name it. */
export type GroupName = { pk: number; name: string }

/** An account, as staff see it in lists. */
export type User = Account & {
  email: string
  is_active: boolean
  groups: GroupName[]
  second_factor: boolean
  last_sign_in: string | null
}

/** Roles in the order of the API, with their names and the objects that they are for. A test compares them with those of the service. */
export const ROLE_KEYS: Readonly<Record<string, { name: PlainKey; about: PlainKey }>> = {
  admin: { name: 'people.role.admin', about: 'people.role.admin.about' },
  part_category: { name: 'people.role.part_category', about: 'people.role.part_category.about' },
  part: { name: 'people.role.part', about: 'people.role.part.about' },
  stocktake: { name: 'people.role.stocktake', about: 'people.role.stocktake.about' },
  stock_location: { name: 'people.role.stock_location', about: 'people.role.stock_location.about' },
  stock: { name: 'people.role.stock', about: 'people.role.stock.about' },
  build: { name: 'people.role.build', about: 'people.role.build.about' },
  purchase_order: { name: 'people.role.purchase_order', about: 'people.role.purchase_order.about' },
  sales_order: { name: 'people.role.sales_order', about: 'people.role.sales_order.about' },
  return_order: { name: 'people.role.return_order', about: 'people.role.return_order.about' },
  bom: { name: 'people.role.bom', about: 'people.role.bom.about' },
  transfer_order: { name: 'people.role.transfer_order', about: 'people.role.transfer_order.about' },
}

/** The permissions of a role, with the names of their fields. */
export const RIGHT_KEYS = {
  can_view: 'people.right.view',
  can_add: 'people.right.add',
  can_change: 'people.right.change',
  can_delete: 'people.right.delete',
} as const satisfies Record<string, PlainKey>

/** The name of a role; of one that the console does not know, its name in the API. */
export const getRoleName = (role: string): string => {
  const keys = ROLE_KEYS[role]
  return keys ? t(keys.name) : role.replaceAll('_', ' ')
}
