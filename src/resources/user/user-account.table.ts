import { sql } from 'drizzle-orm'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, moment, primaryKey, varchar } from '../../kit/sql/columns.ts'

/** Who may sign in. */
export const userAccount = pgTable(
  'user_account',
  {
    pk: primaryKey(),
    username: varchar(150).notNull(),
    /** Hash of the password: argon2, or Django's PBKDF2 form after an import. Empty: no password fits. */
    password: filledVarchar(255),
    first_name: filledVarchar(150),
    last_name: filledVarchar(150),
    email: filledVarchar(254),
    /** Opens what only staff may do. */
    is_staff: flag(false),
    /** May do everything. */
    is_superuser: flag(false),
    /** May sign in. */
    is_active: flag(true),
    date_joined: moment().notNull().default(sql`now()`),
    /**
     * When it last signed in at the system that it was imported from. Here a security event and the session say so: written to the
     * account, each log-in would be another version of it, voiding what an administrator has read (decision 23).
     */
    last_login: moment(),
  },
  (table) => [uniqueIndex('user_account_username_key').on(sql`lower(${table.username})`)],
)
