import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, primaryKey, reference } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'
import { part } from './part.table.ts'

/** Part subscriptions, by account. */
export const partStar = pgTable(
  'part_star',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
  },
  (table) => [unique('part_star_part_user_key').on(table.part, table.user), index('part_star_user_idx').on(table.user)],
)
