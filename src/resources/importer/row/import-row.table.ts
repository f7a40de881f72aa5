import { sql } from 'drizzle-orm'
import { index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, flag, instant, primaryKey, reference, varchar } from '../../../kit/sql/columns.ts'
import { importSession } from '../session/import-session.table.ts'

/** A row of an imported file, which becomes an object when it is accepted. */
export const importRow = pgTable(
  'import_row',
  {
    pk: primaryKey(),
    session: reference(() => importSession.pk, 'cascade').notNull(),
    /** Position below the heading row, from 0. */
    row_index: integer().notNull(),
    /** The cells of the file, by column. */
    row_data: json(),
    /** The values to write, by field. */
    data: json(),
    /** The errors by field, as sentences, and with their codes. */
    errors: json(),
    field_errors: json(),
    valid: flag(false),
    complete: flag(false),
    /** What accepting the row does, or did: `create`, `update` or `skip`. */
    action: varchar(10).notNull().default('create'),
    /** The key of the object that the row found or created. */
    object: integer(),
    /** The former values of the fields that the row changes, or changed. */
    previous: json(),
    /** The objects that are created because the row names them, or were. */
    created: json(),
    /** A digest of the writable columns of the object after the row was accepted: undo compares it. */
    written: varchar(32),
    /** When the row was accepted: the time of the transaction. */
    accepted: instant(),
  },
  (table) =>
    [
      index('import_row_session_idx').on(table.session, table.row_index, table.pk),
      index('import_row_incomplete_idx').on(table.session).where(sql`not ${table.complete}`),
      createOrderIndexes('import_row', table.pk, table.row_index, table.valid),
    ].flat(),
)
