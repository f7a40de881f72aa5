import { sql } from 'drizzle-orm'
import { check, index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { metadata, primaryKey, reference, varcharNotNull } from '../../../kit/sql/columns.ts'
import { part } from '../part.table.ts'

/** Two related parts. Their order has no meaning. */
export const relatedPart = pgTable(
  'part_related',
  {
    pk: primaryKey(),
    part_1: reference(() => part.pk, 'cascade').notNull(),
    part_2: reference(() => part.pk, 'cascade').notNull(),
    note: varcharNotNull(500),
    metadata: metadata(),
  },
  (table) => [
    uniqueIndex('part_related_parts_key').on(
      sql`least(${table.part_1}, ${table.part_2})`,
      sql`greatest(${table.part_1}, ${table.part_2})`,
    ),
    index('part_related_part_1_idx').on(table.part_1),
    index('part_related_part_2_idx').on(table.part_2),
    check('part_related_parts_check', sql`${table.part_1} <> ${table.part_2}`),
  ],
)
