import { pgTable, unique } from 'drizzle-orm/pg-core'
import { primaryKey, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'

/** The value of a global setting, as text. A setting without a row has its default. */
export const setting = pgTable(
  'setting',
  { pk: primaryKey(), key: varchar(50).notNull(), value: varcharNotNull(2000) },
  (table) => [unique('setting_key_key').on(table.key)],
)
