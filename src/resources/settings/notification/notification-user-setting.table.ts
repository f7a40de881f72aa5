import { pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, primaryKey, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** The value of an account's setting for one notification method, as text. A setting without a row has its default. */
export const notificationUserSetting = pgTable(
  'notification_user_setting',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** Notification method: `mail`. */
    method: varchar(255).notNull(),
    key: varchar(50).notNull(),
    value: varcharNotNull(2000),
  },
  (table) => [unique('notification_user_setting_user_method_key_key').on(table.user, table.method, table.key)],
)
