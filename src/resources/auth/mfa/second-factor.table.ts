import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, moment, primaryKey } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** The second factor of an account: a secret for codes that change with the time (TOTP, RFC 6238). */
export const secondFactor = pgTable(
  'second_factor',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** The secret, sealed with the server's own (decision 39). */
    sealed_secret: bytes().notNull(),
    /** From when on a log-in asks for it; null while it is being enrolled. */
    confirmed: moment(),
    /** The time step of the last code that was taken: a code is good once. */
    last_step: bigint({ mode: 'number' }).notNull().default(0),
    created: moment().notNull().default(sql`now()`),
  },
  (table) => [unique('second_factor_user_key').on(table.user)],
)

/** A code that stands in for the second factor once. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** SHA-256 of the code, which is random and long. */
    code_hash: bytes().notNull(),
    used: moment(),
  },
  (table) => [index('recovery_code_user_idx').on(table.user)],
)
