import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, flag, instant, primaryKey, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userAccount } from '../user-account.table.ts'

/** A browser that is signed in. The cookie's value is not stored: the session is found by its hash. */
export const userSession = pgTable(
  'user_session',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** SHA-256 of the cookie's value. */
    id_hash: bytes().notNull(),
    created: instant().notNull().default(sql`now()`),
    /** Time of its last use, to the hour. */
    last_seen: instant().notNull().default(sql`now()`),
    expires: instant().notNull(),
    /** The network address that it was opened from. */
    address: varcharNotNull(45),
    user_agent: varcharNotNull(255),
    /** Whether it was opened with the second factor as well. */
    second_factor: flag(false),
    /** Time of its sign-in, or since then of the last confirmation of the account. */
    confirmed: instant().notNull().default(sql`now()`),
  },
  (table) => [unique('user_session_id_hash_key').on(table.id_hash), index('user_session_user_idx').on(table.user)],
)
