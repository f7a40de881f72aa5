import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, createOrderIndexes, instant, primaryKey, reference, text, varchar } from '../../kit/sql/columns.ts'
import { notification } from '../notifications/notification.table.ts'
import { invitation } from '../user/invitation/invitation.table.ts'
import { userAccount } from '../user/user-account.table.ts'

/**
 * A queued email. It refers to the content of the email and holds no secret: links are created when the email is written. An email that is
 * still `sending` when the next attempt begins may or may not have arrived; it becomes `unknown` and is not sent again.
 */
export const outgoingMail = pgTable(
  'outgoing_mail',
  {
    pk: primaryKey(),
    /** The kind of email: `verify`, `reset` ... */
    kind: varchar(50).notNull(),
    /** The account of the email. */
    user: accountReference(() => userAccount.pk, 'cascade'),
    address: varchar(254).notNull(),
    /** The content of an email of the kind `notification`. If it is deleted before the email is sent, no email is sent. */
    notification: reference(() => notification.pk, 'set null'),
    /** The invitation of an email of the kind `invitation`. */
    invitation: reference(() => invitation.pk, 'cascade'),
    state: varchar(20).notNull().default('queued'),
    attempts: integer().notNull().default(0),
    /** The reason why the last attempt failed. */
    error: text(),
    created: instant().notNull().default(sql`now()`),
    sent: instant(),
  },
  (table) => [
    check('outgoing_mail_state_check', sql`${table.state} in ('queued', 'sending', 'sent', 'failed', 'unknown')`),
    createOrderIndexes('outgoing_mail', table.pk, table.created),
    index('outgoing_mail_user_idx').on(table.user),
    index('outgoing_mail_notification_idx').on(table.notification).where(sql`${table.notification} is not null`),
    index('outgoing_mail_invitation_idx').on(table.invitation).where(sql`${table.invitation} is not null`),
    index('outgoing_mail_address_idx').on(sql`lower(${table.address})`, table.kind, table.created),
  ],
)
