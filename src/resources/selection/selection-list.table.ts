import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, instant, metadata, primaryKey, reference, varchar, varcharNotNull } from '../../kit/sql/columns.ts'
import { pluginConfig } from '../plugins/plugin-config.table.ts'
import { selectionEntry } from './entry/selection-entry.table.ts'

/** A list of values that parameter templates share. */
export const selectionList = pgTable(
  'selection_list',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    description: varcharNotNull(250),
    active: flag(true),
    /** Whether the list and its entries cannot be changed. */
    locked: flag(false),
    /** The plugin that the entries come from, and what it calls them. */
    source_plugin: reference(() => pluginConfig.pk, 'set null'),
    source_string: varcharNotNull(1000),
    default: reference((): AnyPgColumn => selectionEntry.pk, 'set null'),
    created: instant().notNull().default(sql`now()`),
    last_updated: instant().notNull().default(sql`now()`),
    metadata: metadata(),
  },
  (table) => [
    unique('selection_list_name_key').on(table.name),
    index('selection_list_source_plugin_idx').on(table.source_plugin).where(sql`${table.source_plugin} is not null`),
    index('selection_list_default_idx').on(table.default).where(sql`${table.default} is not null`),
  ],
)
