import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { accountReference, bytes, instant, text, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from './user-account.table.ts'

/**
 * The first response to a request with an `Idempotency-Key`. It is written in the transaction of the request, so that the response is
 * stored exactly when the change is.
 */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    key: varchar(255).notNull(),
    method: varchar(10).notNull(),
    path: text().notNull(),
    /** Keyed digest of the request's body: the same key with another body is rejected. */
    body_hash: bytes().notNull(),
    /** HTTP status and body of the response. */
    status: integer(),
    body: text(),
    created: instant().notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({ name: 'idempotency_key_pkey', columns: [table.user, table.key] }),
    index('idempotency_key_created_idx').on(table.created),
  ],
)
