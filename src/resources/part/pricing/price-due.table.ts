import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable } from 'drizzle-orm/pg-core'
import { instant, primaryKey } from '../../../kit/sql/columns.ts'

/**
 * Queue of parts whose prices are to be recalculated, one row per request: adding a row waits for no other transaction. Triggers add them
 * (`ask_for_prices()`), in the transaction that changes an input of a price. Rows of deleted parts may remain.
 */
export const priceDue = pgTable(
  'part_price_due',
  { pk: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(), part: integer().notNull() },
  (table) => [index('part_price_due_part_idx').on(table.part)],
)

/** Progress of a running recalculation of many parts. An aborted run is no longer reported. */
export const priceRun = pgTable('part_price_run', {
  pk: primaryKey(),
  started: instant().notNull().default(sql`now()`),
  told: instant().notNull().default(sql`now()`),
  done: integer().notNull().default(0),
  total: integer().notNull(),
})

/** Time of the last scheduled recalculation of outdated prices. The first row only starts the first interval. */
export const priceRefresh = pgTable('part_price_refresh', {
  pk: primaryKey(),
  requested: instant().notNull().default(sql`now()`),
})
