import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable } from 'drizzle-orm/pg-core'
import { moment, primaryKey } from '../../../kit/sql/columns.ts'

/**
 * Parts whose prices are to be worked out anew, as often as something asked for it: whoever asks adds a row and waits for nobody.
 * Triggers do (`ask_for_prices()`), in the transaction that changes what a price rests on. A part that is gone may still stand here.
 */
export const priceDue = pgTable(
  'part_price_due',
  { pk: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(), part: integer().notNull() },
  (table) => [index('part_price_due_part_idx').on(table.part)],
)

/** A run that works out the prices of many parts, as long as it goes on: how far it is. One that broke off is no longer told of. */
export const priceRun = pgTable('part_price_run', {
  pk: primaryKey(),
  started: moment().notNull().default(sql`now()`),
  told: moment().notNull().default(sql`now()`),
  done: integer().notNull().default(0),
  total: integer().notNull(),
})

/** When prices that are too old were asked for by the clock. The first row is only the moment from which days are counted. */
export const priceRefresh = pgTable('part_price_refresh', {
  pk: primaryKey(),
  requested: moment().notNull().default(sql`now()`),
})
