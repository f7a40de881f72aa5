import { pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, primaryKey, reference, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { importSession } from '../session/import-session.table.ts'

/** A field of the objects that an import creates, and the column of the file with its values. */
export const columnMapping = pgTable(
  'import_column_mapping',
  {
    pk: primaryKey(),
    session: reference(() => importSession.pk, 'cascade').notNull(),
    field: varchar(100).notNull(),
    /** The heading of the column; empty for none. */
    column: varcharNotNull(100),
    /** The heading and the help of the field; null if the type has no such field. */
    label: varchar(200),
    description: varchar(1000),
    /** The field by which objects of a reference are found; null to try all. */
    lookup_field: varchar(100),
    /** Whether objects of a reference that do not exist are created. */
    create_missing: flag(false),
  },
  (table) => [unique('import_column_mapping_session_field_key').on(table.session, table.field)],
)
