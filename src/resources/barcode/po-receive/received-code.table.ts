import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { flag, moment, varchar } from '../../../kit/sql/columns.ts'

/**
 * Codes by which goods were received. A row outlives the stock that was made, so that no delivery is counted twice,
 * also when what came with it is used up.
 */
export const receivedCode = pgTable('received_code', {
  /** The key of the code: equal however a scanner writes its separators. */
  key: varchar(32).primaryKey(),
  /** Whether it is known to be that of a delivery, which comes once; a product's may come again. */
  is_delivery: flag(true),
  received: moment().notNull().default(sql`now()`),
})
