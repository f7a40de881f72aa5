import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, flag, metadata, primaryKey, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A plugin that was found once, and whether it is to run. The row outlives the plugin. */
export const pluginConfig = pgTable(
  'plugin_config',
  {
    pk: primaryKey(),
    /** Its slug. */
    key: varchar(255).notNull(),
    name: varchar(255),
    package_name: varchar(255),
    active: flag(false),
    /** Whoever switched it on last: what it does on its own, it does with the rights of this account. */
    activated_by: accountReference(() => userAccount.pk, 'set null'),
    metadata: metadata(),
  },
  (table) => [unique('plugin_config_key_key').on(table.key), index('plugin_config_activated_by_idx').on(table.activated_by)],
)
