import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, day, flag, instant, primaryKey, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userAccount } from '../user-account.table.ts'

/**
 * A key that authenticates requests of an account. The key itself is not stored: it is derived from the salt and the server's secret, and a
 * request's key is looked up by its hash.
 */
export const apiToken = pgTable(
  'api_token',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    name: varcharNotNull(100),
    /** Random bytes from which the key is derived; empty for a key that was shown once. */
    salt: bytes().notNull(),
    /** SHA-256 of the key. */
    key_hash: bytes().notNull(),
    created: instant().notNull().default(sql`now()`),
    /** The last day on which the key is valid. */
    expiry: day(),
    /** The last day on which the key was used. */
    last_seen: day(),
    revoked: flag(false),
    /** Whether it may only read. */
    read_only: flag(false),
  },
  (table) => [unique('api_token_key_hash_key').on(table.key_hash), index('api_token_user_idx').on(table.user)],
)
