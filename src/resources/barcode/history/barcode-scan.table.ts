import { sql } from 'drizzle-orm'
import { boolean, index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, filledVarchar, MAX_BARCODE_LENGTH, moment, primaryKey, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** What was scanned, by whom, and what came of it. Kept for BARCODE_RESULTS_DAYS. */
export const barcodeScan = pgTable(
  'barcode_scan',
  {
    pk: primaryKey(),
    timestamp: moment().notNull().default(sql`now()`),
    user: accountReference(() => userAccount.pk, 'set null'),
    /** What was to be done with it, as batches name it. */
    action: varchar(20).notNull(),
    /** The address that was asked. */
    endpoint: varchar(50).notNull(),
    /** The code. */
    data: filledVarchar(MAX_BARCODE_LENGTH),
    /** What else was asked for, by field. */
    context: json().notNull().default({}),
    /** Whether it was done, and the HTTP status that said so. */
    result: boolean().notNull(),
    status: integer().notNull(),
    /** What was said of it. */
    response: json().notNull().default({}),
    /** What it found, made or changed: kinds and keys. */
    objects: json().notNull().default([]),
    /** Of an entry of a batch: its id, and when the client scanned it. */
    batch_id: varchar(100),
    scanned: moment(),
    /** What has to be known to take it back (`undo/made.ts`); null where there is nothing to take back. No client sees it. */
    undo: json(),
    /** When it was taken back, and by whom. */
    undone: moment(),
    undone_by: accountReference(() => userAccount.pk, 'set null'),
  },
  (table) => [
    index('barcode_scan_timestamp_idx').on(table.timestamp, table.pk),
    index('barcode_scan_user_idx').on(table.user, table.timestamp, table.pk),
    index('barcode_scan_undone_by_idx').on(table.undone_by).where(sql`${table.undone_by} is not null`),
  ],
)
