import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, filledVarchar, moment, primaryKey, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** An account at a provider of single sign-on, linked to an account here. It is known by issuer and subject alone (decision 38). */
export const socialAccount = pgTable(
  'social_account',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** The provider's id in the configuration. */
    provider: varchar(100).notNull(),
    issuer: varchar(500).notNull(),
    /** The subject: who it is, as the issuer says. */
    uid: varchar(255).notNull(),
    /** The address the provider told, for its owner to recognise. */
    email: filledVarchar(254),
    last_login: moment().notNull().default(sql`now()`),
    date_joined: moment().notNull().default(sql`now()`),
  },
  (table) => [
    unique('social_account_issuer_uid_key').on(table.issuer, table.uid),
    index('social_account_user_idx').on(table.user),
  ],
)
