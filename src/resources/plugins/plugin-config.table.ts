import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, flag, metadata, primaryKey, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A plugin, and whether it is enabled. The row is created when the plugin is first discovered, and remains after the plugin is removed. */
export const pluginConfig = pgTable(
  'plugin_config',
  {
    pk: primaryKey(),
    /** Its slug. */
    key: varchar(255).notNull(),
    name: varchar(255),
    package_name: varchar(255),
    active: flag(false),
    /** Account that last enabled it: its own actions run with the permissions of this account. */
    activated_by: accountReference(() => userAccount.pk, 'set null'),
    metadata: metadata(),
  },
  (table) => [unique('plugin_config_key_key').on(table.key), index('plugin_config_activated_by_idx').on(table.activated_by)],
)
