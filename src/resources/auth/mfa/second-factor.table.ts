import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, instant, primaryKey } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** The second factor of an account: a secret for time-based codes (TOTP, RFC 6238). */
export const secondFactor = pgTable(
  'second_factor',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** The secret, encrypted with a key of the server. */
    sealed_secret: bytes().notNull(),
    /** Time since which sign-ins require it; null while it is being enrolled. */
    confirmed: instant(),
    /** Time step of the last accepted code: a code is valid once. */
    last_step: bigint({ mode: 'number' }).notNull().default(0),
    created: instant().notNull().default(sql`now()`),
  },
  (table) => [unique('second_factor_user_key').on(table.user)],
)

/** A single-use replacement for the second factor. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** SHA-256 of the code, which is random and long. */
    code_hash: bytes().notNull(),
    used: instant(),
  },
  (table) => [index('recovery_code_user_idx').on(table.user)],
)
