import { sql } from 'drizzle-orm'
import { pgTable, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { primaryKey, varchar, varcharNotNull } from '../../kit/sql/columns.ts'

/** A unit of measure in addition to the built-in ones. */
export const customUnit = pgTable(
  'custom_unit',
  {
    pk: primaryKey(),
    name: varchar(50).notNull(),
    symbol: varcharNotNull(10),
    /** Definition in known units, such as "12 inch". */
    definition: varchar(50).notNull(),
  },
  (table) => [
    unique('custom_unit_name_key').on(table.name),
    // Any number of units may have no symbol.
    uniqueIndex('custom_unit_symbol_key').on(table.symbol).where(sql`${table.symbol} <> ''`),
  ],
)
