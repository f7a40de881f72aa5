import { sql } from 'drizzle-orm'
import { check, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, flag, primaryKey, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../user-account.table.ts'

/** A group of accounts that share permissions. */
export const userGroup = pgTable('user_group', { pk: primaryKey(), name: varchar(150).notNull() }, (table) => [
  unique('user_group_name_key').on(table.name),
])

/** Membership of an account in a group. */
export const userGroupMember = pgTable(
  'user_group_member',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    group: accountReference(() => userGroup.pk, 'cascade').notNull(),
  },
  (table) => [
    unique('user_group_member_user_group_key').on(table.user, table.group),
    index('user_group_member_group_idx').on(table.group),
  ],
)

/** Permissions of a group's members in one role. A new group gets a row for each role, with view permissions only. */
export const ruleSet = pgTable(
  'rule_set',
  {
    pk: primaryKey(),
    group: accountReference(() => userGroup.pk, 'cascade').notNull(),
    /** The role. */
    name: varchar(50).notNull(),
    can_view: flag(true),
    can_add: flag(false),
    can_change: flag(false),
    can_delete: flag(false),
  },
  (table) => [
    unique('rule_set_group_name_key').on(table.group, table.name),
    check(
      'rule_set_name_check',
      sql`${table.name} in ('admin', 'part_category', 'part', 'stocktake', 'stock_location', 'stock', 'build', 'purchase_order', 'sales_order', 'return_order', 'bom', 'transfer_order')`,
    ),
  ],
)
