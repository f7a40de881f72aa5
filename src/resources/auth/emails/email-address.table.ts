import { sql } from 'drizzle-orm'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { accountReference, flag, instant, primaryKey, varchar } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** An email address of an account. The account's own address follows the primary one. */
export const emailAddress = pgTable(
  'email_address',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    email: varchar(254).notNull(),
    /** The link in an email to it was opened. */
    verified: flag(false),
    primary: flag(false),
    created: instant().notNull().default(sql`now()`),
  },
  (table) => [
    uniqueIndex('email_address_user_email_key').on(table.user, sql`lower(${table.email})`),
    uniqueIndex('email_address_verified_key').on(sql`lower(${table.email})`).where(sql`${table.verified}`),
    uniqueIndex('email_address_primary_key').on(table.user).where(sql`${table.primary}`),
  ],
)
