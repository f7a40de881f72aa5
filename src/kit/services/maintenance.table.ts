import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { moment, varchar } from '../sql/columns.ts'

/** Who keeps all other requests waiting, and until when: one row while somebody does, or after they died. */
export const maintenance = pgTable(
  'maintenance',
  {
    pk: integer().primaryKey(),
    holder: varchar(36).notNull(),
    until: moment().notNull(),
  },
  (table) => [check('maintenance_pk_check', sql`${table.pk} = 1`)],
)
