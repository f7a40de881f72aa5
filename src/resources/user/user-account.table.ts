import { sql } from 'drizzle-orm'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { flag, instant, primaryKey, varchar, varcharNotNull } from '../../kit/sql/columns.ts'

/** An account that may sign in. */
export const userAccount = pgTable(
  'user_account',
  {
    pk: primaryKey(),
    username: varchar(150).notNull(),
    /** Hash of the password: argon2, or Django's PBKDF2 form after an import. Empty: no password matches. */
    password: varcharNotNull(255),
    first_name: varcharNotNull(150),
    last_name: varcharNotNull(150),
    email: varcharNotNull(254),
    /** Whether staff-only operations are permitted. */
    is_staff: flag(false),
    /** Whether everything is permitted. */
    is_superuser: flag(false),
    /** Whether it may sign in. */
    is_active: flag(true),
    date_joined: instant().notNull().default(sql`now()`),
    /**
     * Last sign-in at the system that it was imported from. This service records sign-ins in a security event and the session: if they were
     * written to the account, each one would change its version and invalidate what an administrator has read.
     */
    last_login: instant(),
  },
  (table) => [uniqueIndex('user_account_username_key').on(sql`lower(${table.username})`)],
)
