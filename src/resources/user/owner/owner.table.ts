import { sql } from 'drizzle-orm'
import { check, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, primaryKey } from '../../../kit/sql/columns.ts'
import { userGroup } from '../group/user-group.table.ts'
import { userAccount } from '../user-account.table.ts'

/** An account or a group that something can belong to. Created and deleted together with it. */
export const owner = pgTable(
  'owner',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade'),
    group: accountReference(() => userGroup.pk, 'cascade'),
  },
  (table) => [
    unique('owner_user_key').on(table.user),
    unique('owner_group_key').on(table.group),
    check('owner_user_or_group_check', sql`num_nonnulls(${table.user}, ${table.group}) = 1`),
  ],
)
