import { sql } from 'drizzle-orm'
import { check, numeric, pgTable, unique } from 'drizzle-orm/pg-core'
import { currency, instant, primaryKey } from '../../kit/sql/columns.ts'

/** Value of one unit of the base currency in another currency. */
export const currencyRate = pgTable(
  'currency_rate',
  {
    pk: primaryKey(),
    /** Default currency at the time when the rate was set. */
    base: currency().notNull(),
    currency: currency().notNull(),
    rate: numeric({ precision: 20, scale: 10 }).notNull(),
    updated: instant().notNull().default(sql`now()`),
  },
  (table) => [
    unique('currency_rate_base_currency_key').on(table.base, table.currency),
    check('currency_rate_rate_check', sql`${table.rate} > 0`),
  ],
)
