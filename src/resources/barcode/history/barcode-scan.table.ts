import { sql } from 'drizzle-orm'
import { boolean, index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, instant, MAX_BARCODE_LENGTH, primaryKey, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** A scan: the code, the user and the result. Stored for BARCODE_RESULTS_DAYS. */
export const barcodeScan = pgTable(
  'barcode_scan',
  {
    pk: primaryKey(),
    timestamp: instant().notNull().default(sql`now()`),
    user: accountReference(() => userAccount.pk, 'set null'),
    /** The requested action, as batches name it. */
    action: varchar(20).notNull(),
    /** The requested URL. */
    endpoint: varchar(50).notNull(),
    /** The code. */
    data: varcharNotNull(MAX_BARCODE_LENGTH),
    /** Other parameters of the request, by field. */
    context: json().notNull().default({}),
    /** Whether it succeeded, and the HTTP status of the response. */
    result: boolean().notNull(),
    status: integer().notNull(),
    /** Messages of the response. */
    response: json().notNull().default({}),
    /** Objects that it found, created or changed: kinds and keys. */
    objects: json().notNull().default([]),
    /** For an entry of a batch: its id, and when the client scanned it. */
    batch_id: varchar(100),
    scanned: instant(),
    /** Data for undoing it (`undo/recorded-changes.ts`); null if there is nothing to undo. Not visible to clients. */
    undo: json(),
    /** Time of the undo, and its user. */
    undone: instant(),
    undone_by: accountReference(() => userAccount.pk, 'set null'),
  },
  (table) => [
    index('barcode_scan_timestamp_idx').on(table.timestamp, table.pk),
    index('barcode_scan_user_idx').on(table.user, table.timestamp, table.pk),
    index('barcode_scan_undone_by_idx').on(table.undone_by).where(sql`${table.undone_by} is not null`),
  ],
)
