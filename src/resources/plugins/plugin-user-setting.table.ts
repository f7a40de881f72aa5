import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, primaryKey, reference, varchar, varcharNotNull } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'
import { pluginConfig } from './plugin-config.table.ts'

/** The value of a setting that a plugin has for each account, as text. A setting without a row has its default. */
export const pluginUserSetting = pgTable(
  'plugin_user_setting',
  {
    pk: primaryKey(),
    plugin: reference(() => pluginConfig.pk, 'cascade').notNull(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    key: varchar(50).notNull(),
    value: varcharNotNull(2000),
  },
  (table) => [
    unique('plugin_user_setting_plugin_user_key_key').on(table.plugin, table.user, table.key),
    index('plugin_user_setting_user_idx').on(table.user),
  ],
)
