import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { instant, varchar } from '../sql/columns.ts'

/** The holder for which all other requests are rejected, and the end of its lease: one row while there is a holder, or after it died. */
export const maintenance = pgTable(
  'maintenance',
  {
    pk: integer().primaryKey(),
    holder: varchar(36).notNull(),
    until: instant().notNull(),
  },
  (table) => [check('maintenance_pk_check', sql`${table.pk} = 1`)],
)
