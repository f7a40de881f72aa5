import { sql } from 'drizzle-orm'
import { index, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, flag, moment, primaryKey, text, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** What an account is told of: it stays as it was written, whatever becomes of its object. */
export const notification = pgTable(
  'notification',
  {
    pk: primaryKey(),
    /** Who is told. */
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** Which kind of news it is: `order.new_purchaseorder`. */
    category: varchar(250).notNull(),
    name: varchar(250).notNull(),
    message: text(),
    /** The object that it is about (`NotificationObject`). */
    target: json(),
    /** The account that caused it, in the same form; null where none did. */
    source: json(),
    creation: moment().notNull().default(sql`now()`),
    read: flag(false),
  },
  (table) => [
    index('notification_user_idx').on(table.user, table.pk),
    // what interfaces ask every few seconds is how many there are
    index('notification_unread_idx').on(table.user, table.pk).where(sql`not ${table.read}`),
    index('notification_creation_idx').on(table.creation),
  ],
)
