import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { flag, instant, varchar } from '../../../kit/sql/columns.ts'

/** Codes of received goods. A row outlives its stock, so that no delivery is counted twice even after its stock is depleted. */
export const receivedCode = pgTable('received_code', {
  /** Key of the code, equal for every notation of its separators. */
  key: varchar(32).primaryKey(),
  /** Whether the code is known to identify a delivery, which is received once; a product's code may recur. */
  is_delivery: flag(true),
  received: instant().notNull().default(sql`now()`),
})
