import { sql } from 'drizzle-orm'
import { check, jsonb, numeric, pgTable, unique } from 'drizzle-orm/pg-core'
import { currency, flag, instant, primaryKey, text, varchar } from '../../kit/sql/columns.ts'

const rate = () => numeric({ precision: 20, scale: 10 })

/** Value of one unit of the base currency in another currency. */
export const currencyRate = pgTable(
  'currency_rate',
  {
    pk: primaryKey(),
    /** Default currency at the time when the rate was set. */
    base: currency().notNull(),
    currency: currency().notNull(),
    /** The rate of all conversions. */
    rate: rate().notNull(),
    updated: instant().notNull().default(sql`now()`),
    /** Whether it is a manual rate, which updates do not replace. */
    is_own: flag(false),
    /** For a manual rate: the last fetched one. */
    live_rate: rate(),
    /** When that one was fetched. */
    live_updated: instant(),
  },
  (table) => [
    unique('currency_rate_base_currency_key').on(table.base, table.currency),
    check('currency_rate_rate_check', sql`${table.rate} > 0`),
    check('currency_rate_live_rate_check', sql`${table.live_rate} is null or (${table.is_own} and ${table.live_rate} > 0)`),
  ],
)

/** The last attempt to fetch exchange rates, if it failed. */
export const currencyFailure = pgTable('currency_failure', {
  pk: primaryKey(),
  failed: instant().notNull().default(sql`now()`),
  /** The code of the error, its parameters, and its English sentence. */
  code: varchar(100).notNull(),
  parameters: jsonb().notNull(),
  message: text().notNull(),
})
