import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { accountReference, bytes, instant, text, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** A processed batch entry, and its response. It is inserted in the transaction of the operation, and so exists only if that is committed. */
export const barcodeBatchEntry = pgTable(
  'barcode_batch_entry',
  {
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    id: varchar(100).notNull(),
    /** Keyed digest of the entry: the same id with another entry is rejected. */
    entry_hash: bytes().notNull(),
    /** HTTP status and body of the response. */
    status: integer(),
    body: text(),
    /** Field errors in the body with their codes, as JSON. */
    field_errors: text(),
    /** Its key in the scan history, from where it may be deleted. */
    scan: integer(),
    created: instant().notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({ name: 'barcode_batch_entry_pkey', columns: [table.user, table.id] }),
    index('barcode_batch_entry_created_idx').on(table.created),
  ],
)
