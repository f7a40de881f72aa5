import { sql } from 'drizzle-orm'
import { index, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, flag, instant, primaryKey, text, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A notification to an account, unchanged whatever happens to its object. */
export const notification = pgTable(
  'notification',
  {
    pk: primaryKey(),
    /** The notified account. */
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** Category of the notification: `order.new_purchaseorder`. */
    category: varchar(250).notNull(),
    name: varchar(250).notNull(),
    message: text(),
    /** The object that it is about (`NotificationObject`). */
    target: json(),
    /** The account that caused it, in the same form; null for none. */
    source: json(),
    creation: instant().notNull().default(sql`now()`),
    read: flag(false),
  },
  (table) => [
    index('notification_user_idx').on(table.user, table.pk),
    // interfaces request the unread count every few seconds
    index('notification_unread_idx').on(table.user, table.pk).where(sql`not ${table.read}`),
    index('notification_creation_idx').on(table.creation),
  ],
)
