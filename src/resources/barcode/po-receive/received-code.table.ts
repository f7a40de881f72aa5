import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { moment, varchar } from '../../../kit/sql/columns.ts'

/**
 * Codes of deliveries by which goods were received. A row outlives the stock that was made, so that no delivery is counted twice,
 * also when what came with it is used up.
 */
export const receivedCode = pgTable('received_code', {
  /** The key of the code: equal however a scanner writes its separators. */
  key: varchar(32).primaryKey(),
  received: moment().notNull().default(sql`now()`),
})
