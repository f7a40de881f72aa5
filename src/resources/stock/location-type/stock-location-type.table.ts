import { pgTable } from 'drizzle-orm/pg-core'
import { metadata, primaryKey, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'

/** A type of stock location, such as a shelf or a box. */
export const stockLocationType = pgTable('stock_location_type', {
  pk: primaryKey(),
  name: varchar(100).notNull(),
  description: varcharNotNull(250),
  icon: varcharNotNull(100),
  metadata: metadata(),
})
