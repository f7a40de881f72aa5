import { pgTable, unique } from 'drizzle-orm/pg-core'
import { primaryKey, reference, varchar, varcharNotNull } from '../../kit/sql/columns.ts'
import { pluginConfig } from './plugin-config.table.ts'

/** The value of a setting of a plugin, as text. A setting without a row has its default. */
export const pluginSetting = pgTable(
  'plugin_setting',
  {
    pk: primaryKey(),
    plugin: reference(() => pluginConfig.pk, 'cascade').notNull(),
    key: varchar(50).notNull(),
    value: varcharNotNull(2000),
  },
  (table) => [unique('plugin_setting_plugin_key_key').on(table.plugin, table.key)],
)
