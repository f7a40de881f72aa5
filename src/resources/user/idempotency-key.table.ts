import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { accountReference, bytes, moment, text, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from './user-account.table.ts'

/**
 * The first answer to a request that carried an `Idempotency-Key`. It is written in the transaction of the request, so that the
 * answer exists exactly when the change does.
 */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    key: varchar(255).notNull(),
    method: varchar(10).notNull(),
    path: text().notNull(),
    /** Keyed digest of the request's body: the same key with another body is refused. */
    body_hash: bytes().notNull(),
    /** HTTP status and body of the answer. */
    status: integer(),
    body: text(),
    created: moment().notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({ name: 'idempotency_key_pkey', columns: [table.user, table.key] }),
    index('idempotency_key_created_idx').on(table.created),
  ],
)
