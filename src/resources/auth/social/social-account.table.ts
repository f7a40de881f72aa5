import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, instant, primaryKey, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** An account at a single sign-on provider, linked to an account here. It is identified by issuer and subject alone. */
export const socialAccount = pgTable(
  'social_account',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** The provider's id in the configuration. */
    provider: varchar(100).notNull(),
    issuer: varchar(500).notNull(),
    /** The subject: the account's id at the issuer. */
    uid: varchar(255).notNull(),
    /** Address from the provider, for its owner to recognize the account. */
    email: varcharNotNull(254),
    last_login: instant().notNull().default(sql`now()`),
    date_joined: instant().notNull().default(sql`now()`),
  },
  (table) => [
    unique('social_account_issuer_uid_key').on(table.issuer, table.uid),
    index('social_account_user_idx').on(table.user),
  ],
)
