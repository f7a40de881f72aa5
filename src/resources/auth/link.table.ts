import { sql } from 'drizzle-orm'
import { check, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, instant, primaryKey, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A link that was emailed to an account. Its token is not stored: the link is found by the token's hash. */
export const accountLink = pgTable(
  'account_link',
  {
    pk: primaryKey(),
    /** Purpose of the link. */
    kind: varchar(20).notNull(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** The address that it was sent to. */
    address: varchar(254).notNull(),
    /** SHA-256 of the token. */
    token_hash: bytes().notNull(),
    /** SHA-256 of the state that it was created for, such as the password's hash: the link is void once that has changed. */
    bound_to: bytes().notNull(),
    created: instant().notNull().default(sql`now()`),
    expires: instant().notNull(),
    used: instant(),
  },
  (table) => [
    unique('account_link_token_hash_key').on(table.token_hash),
    check('account_link_kind_check', sql`${table.kind} in ('verify', 'reset', 'sign_in')`),
    index('account_link_user_idx').on(table.user, table.kind),
  ],
)
