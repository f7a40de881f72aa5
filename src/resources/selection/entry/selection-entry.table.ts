import { type AnyPgColumn, pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, primaryKey, reference, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { selectionList } from '../selection-list.table.ts'

/** A value of a selection list. An imported one may belong to no list. */
export const selectionEntry = pgTable(
  'selection_list_entry',
  {
    pk: primaryKey(),
    list: reference((): AnyPgColumn => selectionList.pk, 'cascade'),
    value: varchar(255).notNull(),
    /** The text that people select. */
    label: varchar(255).notNull(),
    description: varcharNotNull(250),
    /** Whether it can be selected. */
    active: flag(true),
  },
  (table) => [unique('selection_list_entry_list_value_key').on(table.list, table.value)],
)
