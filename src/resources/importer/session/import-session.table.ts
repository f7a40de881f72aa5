import { sql } from 'drizzle-orm'
import { index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import {
  accountReference,
  createOrderIndexes,
  flag,
  instant,
  primaryKey,
  varchar,
  varcharNotNull,
} from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** A file whose rows become objects of one type. */
export const importSession = pgTable(
  'import_session',
  {
    pk: primaryKey(),
    timestamp: instant().notNull().default(sql`now()`),
    /** Path of the file below the media folder. */
    data_file: varchar(100).notNull(),
    update_records: flag(false),
    model_type: varchar(100).notNull(),
    /** The fields of the type, as they were described when the file or the type was last set. */
    available_fields: json().notNull(),
    status: integer().notNull().default(10),
    /** The account that sent the file. */
    user: accountReference(() => userAccount.pk, 'set null'),
    /** The headings of the file. */
    columns: json().notNull(),
    field_defaults: json(),
    field_overrides: json(),
    field_filters: json(),
    completed_row_count_history: integer(),
    row_count_history: integer(),
    /** The sheet that is read, and all sheets of the workbook. */
    sheet: varchar(255),
    sheets: json().notNull(),
    /** Number of the heading row in the file, from 1; 0 for none. */
    heading_row: integer().notNull(),
    /** Column separator and encoding of a text file. */
    separator: varchar(1),
    encoding: varchar(20),
    decimal_separator: varcharNotNull(1),
    /** The number of rows in the file, and the cells of its first rows, shortened. */
    file_row_count: integer(),
    sample_rows: json(),
    /** The field by which rows find existing objects; empty to find them by their keys, or not at all. */
    match_field: varcharNotNull(100),
    /** What happens to a row that finds an object, and to one that finds none. */
    on_match: varchar(10).notNull().default('update'),
    on_missing: varchar(10).notNull().default('create'),
    /** Identifies the latest reading of the rows: an earlier one that still runs stops. */
    run: varchar(36),
  },
  (table) =>
    [
      index('import_session_data_file_idx').on(table.data_file),
      index('import_session_user_idx').on(table.user, table.pk),
      createOrderIndexes('import_session', table.pk, table.timestamp, table.status, table.model_type),
    ].flat(),
)
