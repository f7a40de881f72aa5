import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { metadata } from '../../kit/sql/columns.ts'

/** State of the plugins as a whole, in one row. */
export const pluginRegistry = pgTable(
  'plugin_registry',
  {
    pk: integer().primaryKey(),
    metadata: metadata(),
    /** Number of requested reloads of all plugins: every node follows it. */
    reloads: integer().notNull().default(0),
  },
  (table) => [check('plugin_registry_pk_check', sql`${table.pk} = 1`)],
)
