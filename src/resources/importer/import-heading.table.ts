import { sql } from 'drizzle-orm'
import { pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { accountReference, instant, varchar, varcharNotNull } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** What an account means by a heading of its files, where that is not what the heading says by itself. */
export const importHeading = pgTable(
  'import_heading',
  {
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    model_type: varchar(100).notNull(),
    heading: varchar(100).notNull(),
    /** The field; empty if the column is not imported. */
    field: varcharNotNull(100),
    /** When a file with it was last imported. */
    used: instant().notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ name: 'import_heading_pkey', columns: [table.user, table.model_type, table.heading] })],
)
