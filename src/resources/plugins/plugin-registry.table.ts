import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { metadata } from '../../kit/sql/columns.ts'

/** What is known of the plugins as a whole: one row. */
export const pluginRegistry = pgTable(
  'plugin_registry',
  {
    pk: integer().primaryKey(),
    metadata: metadata(),
    /** How often all plugins were asked to be loaded anew: every node follows. */
    reloads: integer().notNull().default(0),
  },
  (table) => [check('plugin_registry_pk_check', sql`${table.pk} = 1`)],
)
