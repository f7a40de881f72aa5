import { pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, primaryKey, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** The value of a setting of one account, as text. A setting without a row has its default. */
export const userSetting = pgTable(
  'user_setting',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    key: varchar(50).notNull(),
    value: varcharNotNull(2000),
  },
  (table) => [unique('user_setting_user_key_key').on(table.user, table.key)],
)
