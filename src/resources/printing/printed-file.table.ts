import { index, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, instant, primaryKey, text, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A printed file: available to the user who printed it and to staff, and deleted after some days. */
export const printedFile = pgTable(
  'printed_file',
  {
    pk: primaryKey(),
    /** Below the media folder. */
    file: text().notNull(),
    /** File name for downloads. */
    name: varchar(255).notNull(),
    user: accountReference(() => userAccount.pk, 'set null'),
    created: instant().notNull().defaultNow(),
  },
  (table) => [
    index('printed_file_file_idx').on(table.file),
    index('printed_file_created_idx').on(table.created),
    index('printed_file_user_idx').on(table.user),
  ],
)
