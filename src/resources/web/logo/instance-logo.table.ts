import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { bytes, instant, varchar } from '../../../kit/sql/columns.ts'

/** The logo of this installation: at most one row. */
export const instanceLogo = pgTable(
  'instance_logo',
  {
    pk: integer().primaryKey().default(1),
    /** A PNG, encoded by the service. */
    image: bytes().notNull(),
    /** SHA-256 of the image, by which its URL changes with it. */
    digest: varchar(64).notNull(),
    updated: instant().notNull().default(sql`now()`),
  },
  (table) => [check('instance_logo_pk_check', sql`${table.pk} = 1`)],
)
