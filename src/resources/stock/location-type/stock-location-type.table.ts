import { pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, metadata, primaryKey, varchar } from '../../../kit/sql/columns.ts'

/** A type of stock location, such as a shelf or a box. */
export const stockLocationType = pgTable('stock_location_type', {
  pk: primaryKey(),
  name: varchar(100).notNull(),
  description: filledVarchar(250),
  icon: filledVarchar(100),
  metadata: metadata(),
})
